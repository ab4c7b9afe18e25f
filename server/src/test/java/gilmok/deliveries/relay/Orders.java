package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.DeliveryOrder;
import gilmok.deliveries.DeliveryPlace;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.Lifecycle;
import gilmok.deliveries.Move;
import gilmok.deliveries.OrderTerms;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.Step;
import gilmok.deliveries.StepDetails;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Made-up orders, partners and time. */
final class Orders implements InstantSource {
  static final long BEGIN = 1_767_000_000_000L;
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  static final String OTHER_SECRET = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=";

  /** The usual steps of a delivery after its creation. */
  static final List<Step> WAY = List.of(Step.ACCEPT, Step.ASSIGN, Step.PICK_UP, Step.COMPLETE);

  private final AtomicLong millis = new AtomicLong(BEGIN);
  private final Random random;
  private int count;

  Orders(long seed) {
    random = new Random(seed);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  @Override
  public long millis() {
    return millis.get();
  }

  void pass(long more) {
    millis.addAndGet(more);
  }

  /** A delivery of that shop, created now. */
  Delivery delivery(String shopId, @Nullable String agencyId) {
    return delivery(shopId, agencyId, millis());
  }

  synchronized Delivery delivery(String shopId, @Nullable String agencyId, long at) {
    DeliveryOrder order =
        new DeliveryOrder(
            "order-" + ++count,
            shopId,
            agencyId,
            null,
            new DeliveryPlace(37.4979, 127.0276, "테헤란로 1", null),
            new DeliveryPlace(37.5012, 127.0396, "역삼동 2", null),
            new OrderTerms(3_500L, "KRW", null, null, null));
    return Lifecycle.create(DeliveryId.next(at, random), order, "key:k1", at);
  }

  /** Creates a delivery of that shop. */
  Delivery create(DeliveryStore store, String shopId, @Nullable String agencyId) throws Exception {
    Delivery first = delivery(shopId, agencyId);
    store.create(List.of(new DeliveryStore.Wish(first, null)));
    return first;
  }

  /** Moves a delivery; fails unless that is possible. */
  Delivery move(DeliveryStore store, Delivery delivery, Step step) throws Exception {
    return moved(store, delivery, step, millis());
  }

  static Delivery moved(DeliveryStore store, Delivery delivery, Step step, long at)
      throws Exception {
    String rider = step == Step.ASSIGN ? "rider-1" : null;
    Move move =
        new Move(
            step,
            "key:k1",
            null,
            at,
            at,
            null,
            new StepDetails(null, null, rider, null, null, null, null));
    if (store.move(delivery.id(), move) instanceof DeliveryStore.Moving.Moved(Delivery after)) {
      return after;
    }
    throw new AssertionError("not moved: " + step);
  }

  static Partner shop(String id, String url, String... events) {
    return partner(OutboxReader.SHOP, id, url, events);
  }

  static Partner agency(String id, String url, String... events) {
    return partner(OutboxReader.AGENCY, id, url, events);
  }

  private static Partner partner(OutboxReader reader, String id, String url, String... events) {
    List<String> wanted = events.length == 0 ? List.of("*") : List.of(events);
    return new Partner(id, reader, url, List.of(SECRET), wanted, BEGIN);
  }
}
