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
record MongoDelivery(
    Delivery delivery, long revision, Progress log, Progress shop, Progress agency) {
  /** The state of a reader that has been sent nothing. */
  static final Progress UNTOLD = new Progress(0, 0, 0, 0, null, List.of(), List.of());

  /**
   * The state of one reader.
   *
   * @param told the sequence of the last settled event: sent, or given up
   * @param due since when an event is due, epoch ms; below 0 while a retry waits ({@link
   *     #waitingUntil}); 0 when nothing is due, and then absent from the document
   * @param attempts how often sending the next event has failed
   * @param sinceMillis when it first failed, epoch ms; 0 when it has not
   * @param error why it last failed; null when it has not
   * @param aside the events that were given up
   * @param history the last attempts to send something, the oldest first
   */
  record Progress(
      int told,
      long due,
      int attempts,
      long sinceMillis,
      @Nullable String error,
      List<Aside> aside,
      List<WebhookAttempt> history) {
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
  Progress of(OutboxReader reader) {
    return switch (reader) {
      case LOG -> log;
      case SHOP -> shop;
      case AGENCY -> agency;
    };
  }
}
