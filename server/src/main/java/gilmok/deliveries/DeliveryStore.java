package gilmok.deliveries;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores deliveries. What a call returns is durable. Thread-safe; calls block.
 *
 * <p>All methods throw {@link IOException} when the storage is down or does not answer in time. It
 * is then unknown whether the call took effect. A caller's mistake is a value, not an exception.
 */
public interface DeliveryStore {
  /** The result of a creation. */
  sealed interface Creation {
    /** The delivery was created. */
    record Created(Delivery delivery) implements Creation {}

    /**
     * An earlier request with this key and body has created it; the delivery as it was at creation.
     */
    record Repeated(Delivery delivery) implements Creation {}

    /** The key was used with another body. */
    record KeyReused() implements Creation {}

    /** The shop has an order with this id already. */
    record OrderTaken(String deliveryId) implements Creation {}
  }

  /** The result of a move. */
  sealed interface Moving {
    /** The move happened; the delivery after it. */
    record Moved(Delivery delivery) implements Moving {}

    /** The move was refused; the delivery as it is. */
    record Denied(Decision.Why why, Delivery present) implements Moving {}

    /** There is no such delivery. */
    record Unknown() implements Moving {}
  }

  /**
   * A delivery to create.
   *
   * @param first made by {@link Lifecycle#create}
   * @param idempotency null for a request without a key
   */
  record Wish(Delivery first, @Nullable Idempotency idempotency) {}

  /**
   * The idempotency key of a creation; kept for at least a day.
   *
   * @param scope the caller, so that equal keys of two callers do not collide
   * @param key the caller's key
   * @param bodyHash SHA-256 of the normalised body, in hexadecimal digits
   */
  record Idempotency(String scope, String key, String bodyHash) {}

  /**
   * Which deliveries to list; null fields match any.
   *
   * @param fromMillis created at this time or later, epoch ms
   * @param toMillis created before this time, epoch ms
   */
  record Filter(
      @Nullable Status status,
      @Nullable String riderId,
      @Nullable String shopId,
      @Nullable String agencyId,
      @Nullable Long fromMillis,
      @Nullable Long toMillis) {}

  /**
   * Creates deliveries, each by itself, at most 1,000 at once. The results are in the same order.
   */
  List<Creation> create(List<Wish> wishes) throws IOException, InterruptedException;

  /**
   * Applies a move if it is allowed, and then the waiting actions that became possible, in one
   * atomic step ({@link Lifecycle#move}).
   */
  Moving move(String id, Move move) throws IOException, InterruptedException;

  /**
   * Applies a rider's action, holds it, or notes it as late; then applies the waiting actions that
   * became possible. All in one atomic step ({@link Lifecycle#act}).
   *
   * @return the delivery after it; null when there is no such delivery
   */
  @Nullable Delivery act(String id, Move action) throws IOException, InterruptedException;

  /** The delivery of that id; null when there is none. */
  @Nullable Delivery find(String id) throws IOException, InterruptedException;

  /**
   * Lists deliveries by id, the newest first.
   *
   * @param before only ids that sort before this one; null for the first page
   * @param limit 1 to 1,000
   */
  List<Delivery> list(Filter filter, @Nullable String before, int limit)
      throws IOException, InterruptedException;

  /**
   * Lists all deliveries by id, the oldest first.
   *
   * @param id only ids that sort after it; empty for the first page
   * @param limit 1 to 1,000
   */
  List<Delivery> after(String id, int limit) throws IOException, InterruptedException;

  /**
   * The highest id of the deliveries that were archived and removed; empty when none was. One with
   * an id up to it that is not there may have been.
   */
  default String removedTo() throws IOException, InterruptedException {
    return ""; // nothing is removed from it
  }

  /**
   * Stores deliveries of the past with all their events, each by itself, at most 1,000 at once.
   * Nobody is told of those events; of later ones everybody is.
   *
   * @return for each, what was there already under its id or for its order, and stays as it was;
   *     empty where it was stored
   */
  List<Optional<Delivery>> restore(List<Delivery> past) throws IOException, InterruptedException;
}
