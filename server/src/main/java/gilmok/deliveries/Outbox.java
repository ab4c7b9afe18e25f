package gilmok.deliveries;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactional outbox: which events of deliveries are still to be sent, to each reader
 * separately and in the order of each delivery's events. It changes in the same atomic step as the
 * delivery ({@link DeliveryStore}). A move makes the delivery due for every reader at once, unless
 * a retry for that reader waits. Nothing is due for {@link Reader#AGENCY} while the delivery has no
 * agency; an agency that takes it later is sent everything from the first event on. Changes are
 * durable on return. Thread-safe; calls block.
 *
 * <p>In names here, <i>told</i> means: the event was written to the log, or the partner has
 * accepted the webhook or does not subscribe to it. A <i>telling</i> is one event for one reader.
 */
public interface Outbox {
  /** A recipient of events. */
  enum Reader {
    /** The log's stream {@code deliveries}. */
    LOG,
    /** The partner that is the delivery's shop. */
    SHOP,
    /** The partner that is the delivery's agency. */
    AGENCY;

    /** The id of the shop or agency that gets a delivery's events; null when there is none. */
    public @Nullable String partnerId(Delivery delivery) {
      return switch (this) {
        case LOG -> null;
        case SHOP -> delivery.order().shopId();
        case AGENCY -> delivery.agencyId();
      };
    }
  }

  /**
   * A delivery with events that a reader has not been sent.
   *
   * @param told the sequence of the last event that was sent or given up; 0 for none
   * @param attempts how often sending the next one has failed
   * @param sinceMillis when it first failed, epoch ms; 0 when it has not
   */
  record Due(Delivery delivery, Reader reader, int told, int attempts, long sinceMillis) {}

  /** A reader has been sent a delivery's events up to and including sequence {@code through}. */
  record Told(String deliveryId, Reader reader, int through) {}

  /**
   * The state of one event for a partner, for lists.
   *
   * @param sequence the event's sequence
   * @param type the event's type, as {@code delivery.accepted}
   * @param state its state
   * @param attempts how often sending it has failed
   * @param error why it last failed; null when it has not
   * @param atMillis when it is tried next, was sent or was given up, epoch ms
   */
  record Telling(
      String deliveryId,
      int sequence,
      String type,
      State state,
      int attempts,
      @Nullable String error,
      long atMillis) {}

  /** The states of an event for a partner. An event that was given up is a dead letter. */
  enum State {
    WAITING,
    SET_ASIDE,
    TOLD
  }

  /**
   * The deliveries that are due for a reader, in each shard the longest waiting first. One query
   * for any number of shards, so that polling costs a database little.
   *
   * @param limit 1 to 1,000; if the result is full, some shards may have had no turn
   */
  List<Due> due(Reader reader, Shards shards, long nowMillis, int limit)
      throws IOException, InterruptedException;

  /**
   * Notes what readers have been sent. Never goes back behind what was noted before. Failures noted
   * before are cleared. Unknown deliveries are ignored.
   */
  void told(List<Told> all) throws IOException, InterruptedException;

  /**
   * Notes that sending the next event has failed; it is due again at {@code dueAtMillis}, epoch ms.
   */
  void failed(String deliveryId, Reader reader, int attempts, long dueAtMillis, String error)
      throws IOException, InterruptedException;

  /**
   * Makes due now what is due too late: it was recorded or put off while a clock was ahead. Reads
   * all pending deliveries; for the start, and after the clock was set back.
   *
   * @param longestMillis the longest time for which anything is put off
   */
  void bringForward(Reader reader, Shards shards, long nowMillis, long longestMillis)
      throws IOException, InterruptedException;

  /**
   * The tolerance for clocks, in ms: what is due later than now by more was not recorded under this
   * clock.
   */
  long CLOCK_MILLIS = 2_000;

  /**
   * Gives an event up and lists it as a dead letter, with one more attempt than noted before; the
   * next event is due. Does nothing if the reader was sent the event already.
   */
  void setAside(String deliveryId, Reader reader, int sequence, String error)
      throws IOException, InterruptedException;

  /**
   * Lists a partner's last sent, waiting and given up events: the newest delivery first, within a
   * delivery the highest sequence first.
   *
   * @param state only this state; null for all
   * @param before only deliveries whose id sorts before this; null for the first page
   * @param limit 1 to 1,000; a delivery's entries are never split, so the result can exceed it
   */
  List<Telling> tellings(
      Reader reader, String partnerId, @Nullable State state, @Nullable String before, int limit)
      throws IOException, InterruptedException;

  /**
   * Replays: a partner is sent again all events of its deliveries created at that time or later,
   * also those that were given up.
   *
   * @return how many deliveries are due again
   */
  long replay(Reader reader, String partnerId, long fromMillis)
      throws IOException, InterruptedException;
}
