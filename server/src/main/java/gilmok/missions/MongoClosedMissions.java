package gilmok.missions;

import gilmok.documents.MongoDocuments;
import gilmok.retention.MongoRemovalPlans;
import gilmok.retention.RemovalPlans;
import java.io.IOException;

/** Which missions are closed, as a node has read it at most a second ago. Thread-safe; blocks. */
final class MongoClosedMissions {
  /** How long it goes by what it has read. */
  static final long KEPT_NANOS = 1_000_000_000L;

  private final RemovalPlans plans;
  private volatile Closed known = new Closed(Long.MIN_VALUE, System.nanoTime() - KEPT_NANOS);

  /** Until when missions are closed, and when that was asked for. */
  private record Closed(long millis, long askedNanos) {}

  /** Those of that database; sends no query yet. */
  MongoClosedMissions(MongoDocuments documents) {
    plans = new MongoRemovalPlans(documents, ClosedMissions.KIND);
  }

  /** Until when missions are closed. */
  long millis() throws IOException, InterruptedException {
    Closed last = known;
    boolean isFresh = System.nanoTime() - last.askedNanos < KEPT_NANOS;
    return isFresh ? last.millis : ask();
  }

  private long ask() throws IOException, InterruptedException {
    long now = System.nanoTime();
    long millis = ClosedMissions.millis(plans.removedTo());
    known = new Closed(millis, now);
    return millis;
  }

  /** Whether a mission of that end is closed; one without an end never is. */
  boolean has(long endMillis) throws IOException, InterruptedException {
    return endMillis != Mission.FOR_EVER && endMillis <= millis();
  }
}
