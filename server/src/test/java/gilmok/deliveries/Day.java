package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.deliveries.DeliveryStore.Creation;
import gilmok.deliveries.DeliveryStore.Idempotency;
import gilmok.deliveries.DeliveryStore.Moving;
import gilmok.deliveries.DeliveryStore.Wish;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A simulated day: a clock that stands still until a test advances it, and orders and moves at its
 * time. Only one thread may make ids; the rest is thread-safe.
 */
final class Day implements InstantSource {
  /** When the day begins, epoch ms. */
  static final long BEGIN = 1_767_000_000_000L;

  static final String SHOP = "shop-1";
  static final String AGENCY = "agency-1";
  static final String RIDER = "rider-1";

  private final AtomicLong millis = new AtomicLong(BEGIN);
  private final Random random = new Random(5);
  private int orders;

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    return millis.get();
  }

  /** Advances the clock by that many milliseconds. */
  void pass(long more) {
    millis.addAndGet(more);
  }

  /** A delivery of a new order of the usual shop, created now. */
  Delivery delivery() {
    return delivery(SHOP, AGENCY);
  }

  Delivery delivery(String shopId, @Nullable String agencyId) {
    return of(order("order-" + ++orders, shopId, agencyId));
  }

  /** A delivery of that order, created now. */
  Delivery of(DeliveryOrder order) {
    return Lifecycle.create(DeliveryId.next(millis(), random), order, "key:k1", millis());
  }

  static DeliveryOrder order(String orderId, String shopId, @Nullable String agencyId) {
    return new DeliveryOrder(
        orderId,
        shopId,
        agencyId,
        "customer-1",
        new DeliveryPlace(37.4979, 127.0276, "서울 강남구 테헤란로 1 \"지하\"", null),
        new DeliveryPlace(37.5012, 127.0396, "서울 강남구 역삼동 2\\3", "010-0000-0000"),
        new OrderTerms(3_500L, "KRW", BEGIN + 600_000, null, "문 앞에\n놓아 주세요 🛵"));
  }

  static Wish wish(Delivery first) {
    return new Wish(first, null);
  }

  static Wish wish(Delivery first, String key, String bodyHash) {
    return new Wish(first, new Idempotency("key:k1", key, bodyHash));
  }

  /** A move by the fleet itself, now. */
  Move move(Step step) {
    return new Move(step, "key:k1", null, millis(), millis(), null, StepDetails.NONE);
  }

  Move assign(String riderId) {
    return new Move(
        Step.ASSIGN,
        "key:k1",
        null,
        millis(),
        millis(),
        null,
        new StepDetails(null, null, riderId, null, null, null, null));
  }

  Move ifVersion(Step step, int version) {
    return new Move(step, "key:k1", null, millis(), millis(), version, StepDetails.NONE);
  }

  Move bound(Step step, Binding.Kind kind, String id) {
    return new Move(
        step,
        "key:k2",
        new Binding(kind, id),
        millis(),
        millis(),
        null,
        new StepDetails(
            37.5,
            127.04,
            null,
            kind == Binding.Kind.AGENCY && step == Step.ACCEPT ? id : null,
            "because",
            step == Step.COMPLETE
                ? new DeliveryProof(DeliveryProof.Kind.CODE, "4711", null, null)
                : null,
            null));
  }

  /** A move by the usual rider's phone, now. */
  Move action(Step step, String source) {
    return action(step, RIDER, source, millis());
  }

  static Move action(Step step, String riderId, String source, long atMillis) {
    return action(step, riderId, source, atMillis, atMillis);
  }

  static Move action(Step step, String riderId, String source, long atMillis, long arrivedAt) {
    return new Move(
        step,
        "rider:" + riderId,
        new Binding(Binding.Kind.RIDER, riderId),
        atMillis,
        arrivedAt,
        null,
        new StepDetails(37.51, 127.05, null, null, null, null, source));
  }

  /** Creates a delivery; fails unless the store does. */
  Delivery created(DeliveryStore store, Delivery first) throws IOException, InterruptedException {
    Creation answer = store.create(List.of(wish(first))).getFirst();
    if (answer instanceof Creation.Created(Delivery delivery)) {
      return delivery;
    }
    throw new AssertionError("not created: " + answer);
  }

  /** Makes these moves; fails unless each is possible. */
  Delivery moved(DeliveryStore store, String id, Move... moves)
      throws IOException, InterruptedException {
    Delivery last = null;
    for (Move move : moves) {
      Moving answer = store.move(id, move);
      if (!(answer instanceof Moving.Moved(Delivery delivery))) {
        throw new AssertionError("not moved: " + answer);
      }
      last = delivery;
    }
    if (last == null) {
      throw new AssertionError("no moves");
    }
    return last;
  }
}
