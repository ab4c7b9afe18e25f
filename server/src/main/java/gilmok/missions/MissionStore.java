package gilmok.missions;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps missions, and of riders their profiles and progress. What was written is durable, and seen
 * by whoever asks the same store afterwards. Thread-safe; calls block.
 */
public interface MissionStore {
  /** Most missions that are asked about, or settled, at once. */
  int MISSIONS_MAX = 1_000;

  /**
   * A mission as it is kept.
   *
   * @param id 1 to 64 characters, no controls and no slash
   * @param json the object that was put, without white space
   */
  record Kept(String id, String json) {}

  /**
   * How far a rider has come in a mission.
   *
   * @param json the object that was put, without white space
   * @param version 1 at first, one more with each put
   * @param settledAt when it was settled, milliseconds since 1970; 0 when it was not
   */
  record Progress(String missionId, String json, long version, long settledAt) {}

  /**
   * A progress that is to be settled, unless it has changed since.
   *
   * @param version which was looked at
   */
  record Due(String missionId, long version) {}

  /** All missions, by id. */
  List<Kept> missions() throws IOException, InterruptedException;

  /** Adds or replaces one; afterwards {@link #revision} is another. */
  void put(Kept mission) throws IOException, InterruptedException;

  /**
   * Another number whenever missions were changed. Asked before {@link #missions}, it is of no
   * later state than those.
   */
  long revision() throws IOException, InterruptedException;

  /**
   * A rider's progress in some missions, in any order; those without are left out.
   *
   * @param missionIds at most {@link #MISSIONS_MAX}
   */
  List<Progress> progress(String riderId, List<String> missionIds)
      throws IOException, InterruptedException;

  /** Adds or replaces a rider's progress in a mission: as it is now. What was settled stays so. */
  Progress putProgress(String riderId, String missionId, String json)
      throws IOException, InterruptedException;

  /**
   * Settles those that are as they were looked at, and not settled yet, each for itself.
   *
   * @param at milliseconds since 1970, not 0
   * @return how many were settled
   */
  int settle(String riderId, List<Due> due, long at) throws IOException, InterruptedException;

  /**
   * How many are best settled in one call; more of them are quicker in several calls at once. 1 to
   * {@link #MISSIONS_MAX}.
   */
  default int pieceMax() {
    return MISSIONS_MAX;
  }

  /** A rider's profile, a JSON object; null when none was put. */
  @Nullable String profile(String riderId) throws IOException, InterruptedException;

  /** Adds or replaces a rider's profile. */
  void putProfile(String riderId, String json) throws IOException, InterruptedException;
}
