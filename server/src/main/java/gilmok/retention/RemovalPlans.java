package gilmok.retention;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What is being removed of one kind of documents, by whom, and how far that was done. What a call
 * changes is durable on return. Thread-safe; calls block.
 */
public interface RemovalPlans {
  /**
   * Takes or renews the lease: until it ends, no other node archives and removes.
   *
   * @return false when another node holds it
   */
  boolean lead(String node, long nowMillis, long untilMillis)
      throws IOException, InterruptedException;

  /** The plan that was not carried out to its end; null when there is none. */
  @Nullable RemovalPlan plan() throws IOException, InterruptedException;

  /**
   * Stores a plan, in place of an earlier one.
   *
   * @param removedTo how far documents count as removed from now on, if that is further than before
   */
  void put(RemovalPlan plan, String removedTo) throws IOException, InterruptedException;

  /**
   * Stores how far documents count as removed, without a plan.
   *
   * @param removedTo if that is further than before
   */
  void reach(String removedTo) throws IOException, InterruptedException;

  /** Forgets the plan. */
  void forget() throws IOException, InterruptedException;

  /** Whether the store has to do first what is left to do of earlier writes. */
  default boolean isBehind() {
    return false;
  }

  /** How far documents count as removed, in the kind's own words; empty when none was. */
  String removedTo() throws IOException, InterruptedException;
}
