package gilmok.deliveries;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delivery's whole document: the delivery, and what is still to be told of it.
 *
 * @param revision counts every change but those of the outbox, and grows by at least the number of
 *     events that were added: so it is never below their number
 * @param log how the log's stream is told
 * @param shop how the shop is told
 * @param agency how the agency is told
 */
record MongoDelivery(Delivery delivery, long revision, Telling log, Telling shop, Telling agency) {
  /** Nobody has been told of anything. */
  static final Telling UNTOLD = new Telling(0, 0, 0, 0, null, 0, 0, List.of());

  /**
   * How a reader is told.
   *
   * @param told the sequence of the last event that is settled: told, or given up
   * @param due since when something is due, epoch ms; below 0 while it waits to try again ({@link
   *     #waitingUntil}); 0 when nothing is due, and then it is not in the document
   * @param attempts how often the next one has failed
   * @param sinceMillis when it failed first; 0 when it has not
   * @param last the sequence of the last event it was told of; 0 for none
   * @param lastMillis when that was
   * @param aside what was given up
   */
  record Telling(
      int told,
      long due,
      int attempts,
      long sinceMillis,
      @Nullable String error,
      int last,
      long lastMillis,
      List<Aside> aside) {
    boolean isDue() {
      return due != 0;
    }

    /** Since when it is due, or when it is tried again; epoch ms. */
    long dueMillis() {
      return Math.abs(due);
    }
  }

  /** An event that was given up. */
  record Aside(int sequence, int attempts, @Nullable String error, long atMillis) {}

  /**
   * What {@code due} is until a time at which it is tried again: below all times since which
   * something is due, so that a move, which lowers it to its own time, leaves it as it is.
   */
  static long waitingUntil(long millis) {
    return -millis;
  }

  /** How that reader is told. */
  Telling of(Outbox.Reader reader) {
    return switch (reader) {
      case LOG -> log;
      case SHOP -> shop;
      case AGENCY -> agency;
    };
  }
}
