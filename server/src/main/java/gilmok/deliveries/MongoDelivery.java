package gilmok.deliveries;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delivery's document: the delivery and its outbox. Immutable.
 *
 * @param revision counts all changes except those of the outbox. It grows by at least the number of
 *     events added, so it is never below their number.
 * @param log the state of the log's stream
 * @param shop the state of the shop
 * @param agency the state of the agency
 */
record MongoDelivery(Delivery delivery, long revision, Telling log, Telling shop, Telling agency) {
  /** The state of a reader that has been sent nothing. */
  static final Telling UNTOLD = new Telling(0, 0, 0, 0, null, 0, 0, List.of());

  /**
   * The state of one reader.
   *
   * @param told the sequence of the last settled event: sent, or given up
   * @param due since when an event is due, epoch ms; below 0 while a retry waits ({@link
   *     #waitingUntil}); 0 when nothing is due, and then absent from the document
   * @param attempts how often sending the next event has failed
   * @param sinceMillis when it first failed, epoch ms; 0 when it has not
   * @param error why it last failed; null when it has not
   * @param last the sequence of the last event that was sent; 0 for none
   * @param lastMillis when that was, epoch ms
   * @param aside the events that were given up
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

    /** Since when an event is due, or when it is retried; epoch ms. */
    long dueMillis() {
      return Math.abs(due);
    }
  }

  /** An event that was given up. */
  record Aside(int sequence, int attempts, @Nullable String error, long atMillis) {}

  /**
   * The value of {@code due} until a retry. It is below every time at which something becomes due,
   * so a move, which takes the minimum with its own time, leaves it unchanged.
   */
  static long waitingUntil(long millis) {
    return -millis;
  }

  /** The state of that reader. */
  Telling of(Outbox.Reader reader) {
    return switch (reader) {
      case LOG -> log;
      case SHOP -> shop;
      case AGENCY -> agency;
    };
  }
}
