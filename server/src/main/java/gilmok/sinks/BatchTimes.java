package gilmok.sinks;

import gilmok.observe.PartTimes;
import gilmok.observe.SlowRequest.Part;
import gilmok.observe.SlowRequests;
import gilmok.observe.SlowRoute;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Where the time of a sink's slowest batches went, from the receipt of their first record to the
 * sink's last answer: {@code docs/why.md} explains the parts. Thread-safe; each batch belongs to
 * the thread that sends it.
 */
final class BatchTimes {
  /** Waiting for the next attempt. */
  static final String RETRY_WAIT = "retry-wait";

  /** Waiting while the sink is paused. */
  static final String PAUSED = "paused";

  /** Waiting while another batch may go, or the destination is tried with one record. */
  static final String TURN = "turn";

  /** Writing the receipt and accounting for the records. */
  static final String SETTLE = "settle";

  private static final List<String> ATTEMPTS =
      List.of("attempt-1", "attempt-2", "attempt-3", "attempt-4", "attempts-after");

  private final SlowRoute slowest;

  BatchTimes(SlowRequests all, String sink) {
    slowest = all.of("sink " + sink);
  }

  /** The name of an attempt, counted from 1; the later ones share one. */
  static String attempt(int number) {
    return ATTEMPTS.get(Math.min(number, ATTEMPTS.size()) - 1);
  }

  /** The present thread begins with a batch. */
  static void begin() {
    PartTimes _ = PartTimes.take();
  }

  /**
   * The present thread has ended with a batch.
   *
   * @param began when it began, on {@link System#nanoTime}'s clock
   */
  void ended(InFlightBatch inFlightBatch, long began, long nowMillis) {
    PartTimes sending = PartTimes.take();
    InFlightBatch.Gathered gathered = inFlightBatch.gathered();
    if (gathered == null) {
      return; // sent once more, or to try the sink
    }
    Batch batch = inFlightBatch.batch();
    long now = System.nanoTime();
    long known = now - gathered.beganNanos();
    long age = TimeUnit.MILLISECONDS.toNanos(nowMillis - batch.receivedAtMillis(0));
    long backlog = Math.max(0, age - known);
    if (slowest.keeps(backlog + known)) {
      List<Part> parts = new ArrayList<>();
      add(parts, "backlog", backlog);
      add(parts, "batch", gathered.departedNanos() - gathered.beganNanos());
      add(parts, "thread", began - gathered.departedNanos());
      for (int i = 0; i < sending.count(); i++) {
        add(parts, sending.name(i), sending.nanos(i));
      }
      long unexplained = now - began - sending.waitedNanos() - sending.workedNanos();
      slowest.keep(0, "", backlog + known, batch.recordBytes(), parts, Math.max(0, unexplained));
    }
  }

  private static void add(List<Part> parts, String name, long nanos) {
    if (nanos > 0) {
      parts.add(new Part(name, nanos));
    }
  }
}
