package gilmok.missions;

import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalPlans;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How {@link MissionRemoval} reads missions and progress in a store, and takes them out. Writes are
 * durable on return. Thread-safe; calls block.
 */
public interface MissionRows {
  /**
   * A stored progress.
   *
   * @param id the rider and the mission, with a slash between; no mission's id has one
   * @param progress null when it cannot be read
   */
  record Row(String id, MissionStore.@Nullable RiderProgress progress) {
    /** The mission's id. */
    String missionId() {
      return id.substring(id.lastIndexOf('/') + 1);
    }
  }

  /** What is to be removed, and who does it. */
  RemovalPlans plans();

  /** How long it takes until every node goes by what was closed. */
  long settleNanos();

  /** All missions. */
  List<MissionStore.Kept> missions() throws IOException, InterruptedException;

  /** The missions of those ids that are there. */
  List<MissionStore.Kept> missions(List<String> ids) throws IOException, InterruptedException;

  /**
   * All riders' progress, in an order that never changes.
   *
   * @param after only what comes after that id; empty for the first page
   */
  List<Row> progressAfter(String after, int limit) throws IOException, InterruptedException;

  /** The progress of those ids that is there, in the order of {@link #progressAfter}. */
  List<Row> progress(List<String> ids) throws IOException, InterruptedException;

  /**
   * Removes each progress that has the revision ({@link OldMission#revision}), and each mission
   * that is as it was read.
   *
   * @return how many were removed
   */
  int remove(List<RemovalPlan.Row> progress, List<MissionStore.Kept> missions)
      throws IOException, InterruptedException;

  /**
   * Removes a rider's profile and progress.
   *
   * @return how many were removed
   */
  long erase(String riderId) throws IOException, InterruptedException;

  /** Gives room back; returns whether there is more to give. */
  boolean shrink() throws IOException, InterruptedException;
}
