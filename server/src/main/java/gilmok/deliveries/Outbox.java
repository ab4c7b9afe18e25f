package gilmok.deliveries;

import gilmok.background.WakeSignal;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactional outbox: which events of deliveries are still to be sent, to each reader
 * separately and in the order of each delivery's events. It changes in the same atomic step as the
 * delivery ({@link DeliveryStore}). A move makes the delivery due for every reader at once, unless
 * a retry for that reader waits. Nothing is due for {@link OutboxReader#AGENCY} while the delivery
 * has no agency; an agency that takes it later is sent everything from the first event on. Changes
 * are durable on return. Thread-safe; calls block.
 *
 * <p>In names here, <i>told</i> means: the event was written to the log, or the partner has
 * accepted the webhook or does not subscribe to it.
 */
public interface Outbox {
  /**
   * A delivery with events that a reader has not been sent.
   *
   * @param told the sequence of the last event that was sent or given up; 0 for none
   * @param attempts how often sending the next one has failed
   * @param sinceMillis when it first failed, epoch ms; 0 when it has not
   */
  record Due(Delivery delivery, OutboxReader reader, int told, int attempts, long sinceMillis) {}

  /** A reader has been sent a delivery's events up to and including sequence {@code through}. */
  record Told(String deliveryId, OutboxReader reader, int through) {}

  /**
   * The deliveries that are due for a reader, in each shard the longest waiting first. One query
   * for any number of shards, so that polling costs a database little.
   *
   * @param limit 1 to 1,000; if the result is full, some shards may have had no turn
   */
  List<Due> due(OutboxReader reader, Shards shards, long nowMillis, int limit)
      throws IOException, InterruptedException;

  /**
   * Notes what readers have been sent. Never goes back behind what was noted before. Failures noted
   * before are cleared. Unknown deliveries are ignored.
   */
  void told(List<Told> all) throws IOException, InterruptedException;

  /** Notes that a partner has accepted an event, and the attempt that it did so in. */
  void delivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt)
      throws IOException, InterruptedException;

  /**
   * Notes that the next event cannot be sent now; it is due again at {@code dueAtMillis}, epoch ms.
   *
   * @param attempt the attempt that has failed; null where none was made
   */
  void failed(
      String deliveryId,
      OutboxReader reader,
      int attempts,
      long dueAtMillis,
      String error,
      @Nullable WebhookAttempt attempt)
      throws IOException, InterruptedException;

  /**
   * Makes due now what is due too late: it was recorded or put off while a clock was ahead. Reads
   * all pending deliveries; for the start, and after the clock was set back.
   *
   * @param longestMillis the longest time for which anything is put off
   */
  void bringForward(OutboxReader reader, Shards shards, long nowMillis, long longestMillis)
      throws IOException, InterruptedException;

  /**
   * The tolerance for clocks, in ms: what is due later than now by more was not recorded under this
   * clock.
   */
  long CLOCK_MILLIS = 2_000;

  /**
   * Gives an event up and lists it as a dead letter, with the attempts that were noted before and
   * this one, if it was made; the next event is due. Does nothing if the reader was sent the event
   * already.
   *
   * @param attempt the attempt that has failed; null where none was made
   */
  void setAside(
      String deliveryId,
      OutboxReader reader,
      int sequence,
      String error,
      @Nullable WebhookAttempt attempt)
      throws IOException, InterruptedException;

  /** Makes due now what of these deliveries waits for a retry. */
  void retryNow(OutboxReader reader, List<String> deliveryIds, long nowMillis)
      throws IOException, InterruptedException;

  /**
   * From now on, fires a signal after each change, unless other nodes change the outbox too, of
   * which this process does not know.
   *
   * @return false if they do: pending events are found only by polling
   */
  default boolean onChange(WakeSignal signal) {
    return false;
  }

  /**
   * Whether no event is pending for a reader, neither due nor put off. Asked only if {@link
   * #onChange} fires.
   */
  default boolean isEmpty(OutboxReader reader) throws IOException, InterruptedException {
    return false;
  }

  /** What partners are shown of their webhooks, and what is done with them by hand. */
  PartnerWebhooks webhooks();
}
