package gilmok.deliveries;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is still to be told of deliveries, to each reader by itself and in the order of each
 * delivery's events. It changes in the same atomic step as the delivery ({@link DeliveryStore}): a
 * move makes the delivery due for every reader at once, unless that reader is waiting to try again.
 * Nobody is told as {@link Reader#AGENCY} while the delivery has no agency; one that takes it later
 * is told of everything from the first event on. Durable on return. Calls block.
 */
public interface Outbox {
  /** Who is told. */
  enum Reader {
    /** The log's stream {@code deliveries}. */
    LOG,
    /** The partner that is the delivery's shop. */
    SHOP,
    /** The partner that is the delivery's agency. */
    AGENCY;

    /** The id of the shop or agency that is told of a delivery; null when there is none. */
    public @Nullable String partnerId(Delivery delivery) {
      return switch (this) {
        case LOG -> null;
        case SHOP -> delivery.order().shopId();
        case AGENCY -> delivery.agencyId();
      };
    }
  }

  /**
   * A delivery of which a reader has not been told all.
   *
   * @param told the sequence of the last event the reader was told of; 0 for none
   * @param attempts how often telling the next one has failed
   * @param sinceMillis when it failed first, epoch ms; 0 when it has not
   */
  record Due(Delivery delivery, Reader reader, int told, int attempts, long sinceMillis) {}

  /** A reader was told of a delivery up to that event. */
  record Told(String deliveryId, Reader reader, int through) {}

  /**
   * A telling that was given up, or one that waits; for lists.
   *
   * @param sequence the event's
   * @param type the event's, as {@code delivery.accepted}
   * @param state where it stands
   * @param attempts how often it has failed
   * @param error why it failed last; null when it has not
   * @param atMillis when it is tried next, was told or was set aside, epoch ms
   */
  record Telling(
      String deliveryId,
      int sequence,
      String type,
      State state,
      int attempts,
      @Nullable String error,
      long atMillis) {}

  /** Where a telling stands. */
  enum State {
    WAITING,
    SET_ASIDE,
    TOLD
  }

  /**
   * What is due for a reader, in each shard the longest waiting first. One question, however many
   * shards: what is asked for again and again costs a database little.
   *
   * @param limit 1 to 1,000; with a full answer some shards may not have had their turn
   */
  List<Due> due(Reader reader, Shards shards, long nowMillis, int limit)
      throws IOException, InterruptedException;

  /**
   * Notes what readers were told; never takes back what was noted before. What had failed before
   * counts no more. An unknown delivery is passed over.
   */
  void told(List<Told> all) throws IOException, InterruptedException;

  /** Telling the event after {@code told} has failed: it is due again at that time. */
  void failed(String deliveryId, Reader reader, int attempts, long dueAtMillis, String error)
      throws IOException, InterruptedException;

  /**
   * Has all be due now that cannot be due as late as it is: it was put down, or put off, under a
   * clock that was ahead. Looks at all that waits; for the start, and after the clock was set back.
   *
   * @param longestMillis the longest time for which anything is put off
   */
  void bringForward(Reader reader, Shards shards, long nowMillis, long longestMillis)
      throws IOException, InterruptedException;

  /** What is due that much later than now was not put down under this clock. */
  long CLOCK_MILLIS = 2_000;

  /**
   * That event is given up and listed, this failure counted with the attempts noted before; the
   * next one is due. Nothing happens when the reader was told of it already.
   */
  void setAside(String deliveryId, Reader reader, int sequence, String error)
      throws IOException, InterruptedException;

  /**
   * What a partner was told last, waits for and what was set aside: the newest delivery first, and
   * of each delivery the highest sequence first.
   *
   * @param before a delivery's id; only tellings of deliveries that sort before it; null for the
   *     first page
   * @param limit 1 to 1,000; a delivery's tellings are never split, so the last may go beyond it
   */
  List<Telling> tellings(
      Reader reader, String partnerId, @Nullable State state, @Nullable String before, int limit)
      throws IOException, InterruptedException;

  /**
   * A partner is told once more of all events of its deliveries created at that time or later, also
   * of those that were set aside.
   *
   * @return how many deliveries are due again
   */
  long replay(Reader reader, String partnerId, long fromMillis)
      throws IOException, InterruptedException;
}
