package gilmok.missions;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores missions and riders' profiles and progress. Writes are durable on return, and seen by all
 * later calls of the same store. Thread-safe; calls block, and throw {@link IOException} when the
 * storage fails.
 */
public interface MissionStore {
  /** Most missions that one call can read progress of, or settle. */
  int MISSIONS_MAX = 1_000;

  /**
   * A stored mission.
   *
   * @param id 1 to 64 characters, without control characters and slashes
   * @param json the object that was put, without white space
   */
  record Kept(String id, String json) {}

  /**
   * A rider's progress in a mission.
   *
   * @param json the object that was put, without white space
   * @param version 1 at first, one more with each put
   * @param settledAt when it was settled, epoch ms; 0 when it was not
   */
  record Progress(String missionId, String json, long version, long settledAt) {}

  /**
   * A progress to settle, unless it has changed since it was read.
   *
   * @param version the version that was read
   */
  record Due(String missionId, long version) {}

  /** All missions, by id. */
  List<Kept> missions() throws IOException, InterruptedException;

  /**
   * Until when missions are closed: those that ended by then are archived and removed, and neither
   * they nor progress in them are stored any more. Epoch ms; {@link Long#MIN_VALUE} while none are.
   */
  default long closedMillis() throws IOException, InterruptedException {
    return Long.MIN_VALUE; // nothing is removed from it
  }

  /** Adds or replaces a mission that does not end; this changes {@link #revision}. */
  default void put(Kept mission) throws IOException, InterruptedException {
    boolean _ = put(mission, Mission.FOR_EVER);
  }

  /**
   * Adds or replaces a mission; this changes {@link #revision}.
   *
   * @param endMillis when it ends, or the one that it replaces, whichever is sooner
   * @return false when that is closed ({@link #closedMillis}): nothing was changed
   */
  boolean put(Kept mission, long endMillis) throws IOException, InterruptedException;

  /**
   * A number that changes whenever missions change. Read it before {@link #missions}: then the
   * missions are at least as new as the number.
   */
  long revision() throws IOException, InterruptedException;

  /**
   * A rider's progress in these missions, in any order; missions without progress are left out.
   *
   * @param missionIds at most {@link #MISSIONS_MAX}
   */
  List<Progress> progress(String riderId, List<String> missionIds)
      throws IOException, InterruptedException;

  /** Adds or replaces a rider's progress in a mission that does not end. */
  default Progress putProgress(String riderId, String missionId, String json)
      throws IOException, InterruptedException {
    return Objects.requireNonNull(putProgress(riderId, missionId, json, Mission.FOR_EVER));
  }

  /**
   * Adds or replaces a rider's progress in a mission. A settled progress stays settled.
   *
   * @param endMillis when the mission ends
   * @return the progress after it; null when the mission is closed ({@link #closedMillis}): then
   *     nothing was changed
   */
  @Nullable Progress putProgress(String riderId, String missionId, String json, long endMillis)
      throws IOException, InterruptedException;

  /**
   * Settles each progress that still has the version that was read and is not settled yet.
   *
   * @param at epoch ms, not 0
   * @return how many were settled
   */
  int settle(String riderId, List<Due> due, long at) throws IOException, InterruptedException;

  /**
   * The best number to settle in one call; more are faster in several parallel calls. 1 to {@link
   * #MISSIONS_MAX}.
   */
  default int pieceMax() {
    return MISSIONS_MAX;
  }

  /** A rider's profile, a JSON object; null when none was put. */
  @Nullable String profile(String riderId) throws IOException, InterruptedException;

  /** Adds or replaces a rider's profile. */
  void putProfile(String riderId, String json) throws IOException, InterruptedException;

  /** A rider's progress, with whose it is. */
  record RiderProgress(String riderId, Progress progress) {
    /** Names it among all: no mission's id has a slash. */
    String cursor() {
      return riderId + "/" + progress.missionId();
    }
  }

  /** A rider's profile, with whose it is. */
  record Profile(String riderId, String json) {}

  /**
   * All riders' progress, in an order that never changes.
   *
   * @param cursor only what sorts after it, {@link RiderProgress#cursor}; empty for the first page
   * @param limit 1 to {@link #MISSIONS_MAX}
   */
  List<RiderProgress> progressAfter(String cursor, int limit)
      throws IOException, InterruptedException;

  /**
   * Adds progress of the past, settled or not, where there is none.
   *
   * @param past at most {@link #MISSIONS_MAX}
   * @param endMillis when the first of their missions ends
   * @return for each, what was there already and stays as it was; empty where it was added. Null
   *     when that mission was closed ({@link #closedMillis}), and some may not have been added
   */
  @Nullable List<Optional<RiderProgress>> restore(List<RiderProgress> past, long endMillis)
      throws IOException, InterruptedException;

  /**
   * All riders' profiles, by the rider's id.
   *
   * @param riderId only those that sort after it; empty for the first page
   */
  List<Profile> profilesAfter(String riderId, int limit) throws IOException, InterruptedException;

  /** Adds profiles where there are none; returns what {@link #restore} does. */
  List<Optional<Profile>> restoreProfiles(List<Profile> past)
      throws IOException, InterruptedException;
}
