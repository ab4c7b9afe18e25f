package gilmok.deliveries;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps deliveries. What a call answers is durable. Calls block; from any thread that may.
 *
 * <p>All of them throw {@link IOException} when the storage cannot be asked or does not answer in
 * time: then nothing is known of what was asked. What a caller did wrong is a value instead.
 */
public interface DeliveryStore {
  /** What became of a creation. */
  sealed interface Creation {
    /** It is there now. */
    record Created(Delivery delivery) implements Creation {}

    /** The same key and body had made it before; as it was made. */
    record Repeated(Delivery delivery) implements Creation {}

    /** The same key was used with another body. */
    record KeyReused() implements Creation {}

    /** The shop has an order of that id already. */
    record OrderTaken(String deliveryId) implements Creation {}
  }

  /** What became of a move. */
  sealed interface Moving {
    /** It happened; the delivery after it. */
    record Moved(Delivery delivery) implements Moving {}

    /** It did not; the delivery as it is. */
    record Denied(Decision.Why why, Delivery present) implements Moving {}

    /** There is no such delivery. */
    record Unknown() implements Moving {}
  }

  /**
   * A delivery to create.
   *
   * @param first from {@link Lifecycle#create}
   * @param idempotency null without a key
   */
  record Wish(Delivery first, @Nullable Idempotency idempotency) {}

  /**
   * By what a repeated creation is known, for at least a day.
   *
   * @param scope who asks: the same text of two askers does not meet
   * @param bodyHash of the body, normalised: SHA-256 in hexadecimal digits
   */
  record Idempotency(String scope, String key, String bodyHash) {}

  /**
   * Which deliveries; null for any.
   *
   * @param fromMillis created at this time or later, epoch ms
   * @param toMillis created before this time
   */
  record Filter(
      @Nullable Status status,
      @Nullable String riderId,
      @Nullable String shopId,
      @Nullable String agencyId,
      @Nullable Long fromMillis,
      @Nullable Long toMillis) {}

  /** Creates them, each by itself; the answers in the same order. At most 1,000 at once. */
  List<Creation> create(List<Wish> wishes) throws IOException, InterruptedException;

  /**
   * Has something happen to a delivery, if it is allowed, and then whatever has waited for it:
   * {@link Lifecycle#move}, in one atomic step.
   */
  Moving move(String id, Move move) throws IOException, InterruptedException;

  /**
   * Has a rider's action happen, wait, or be noted as late; and then whatever waits and now may
   * happen: {@link Lifecycle#act}, in one atomic step.
   *
   * @return the delivery after it; null when there is no such delivery
   */
  @Nullable Delivery act(String id, Move action) throws IOException, InterruptedException;

  /** One delivery; null when there is none. */
  @Nullable Delivery find(String id) throws IOException, InterruptedException;

  /**
   * Deliveries by id, the newest first.
   *
   * @param before only ids that sort before this one; null for the first page
   * @param limit 1 to 1,000
   */
  List<Delivery> list(Filter filter, @Nullable String before, int limit)
      throws IOException, InterruptedException;
}
