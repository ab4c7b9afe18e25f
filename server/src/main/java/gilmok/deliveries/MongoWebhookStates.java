package gilmok.deliveries;

import gilmok.deliveries.Outbox.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The states of one delivery's webhooks for one reader, for lists. Thread-safe. */
final class MongoWebhookStates {
  private static final MongoDeliveryCodec CODEC = new MongoDeliveryCodec();

  private MongoWebhookStates() {}

  /**
   * Adds the states of a raw document. An unreadable document adds one entry for all of its
   * webhooks.
   */
  static void add(
      RawBsonDocument kept, Outbox.Reader reader, @Nullable State state, List<Outbox.Telling> all) {
    try {
      add(kept.decode(CODEC), reader, state, all);
    } catch (RuntimeException damaged) {
      String id = kept.getString("_id").getValue();
      State shown = state == null ? State.WAITING : state;
      String error = UnreadableDeliveries.error(damaged);
      all.add(new Outbox.Telling(id, 1, "", shown, 0, error, 0));
    }
  }

  /** Adds the states, the highest sequence first; only those of one state, or all for null. */
  static void add(
      MongoDelivery stored, Outbox.Reader reader, @Nullable State state, List<Outbox.Telling> all) {
    List<Outbox.Telling> its = new ArrayList<>();
    MongoDelivery.Telling telling = stored.of(reader);
    Delivery delivery = stored.delivery();
    for (MongoDelivery.Aside aside : telling.aside()) {
      its.add(
          telling(
              delivery,
              aside.sequence(),
              State.SET_ASIDE,
              aside.attempts(),
              aside.error(),
              aside.atMillis()));
    }
    if (telling.last() > 0) {
      its.add(telling(delivery, telling.last(), State.TOLD, 0, null, telling.lastMillis()));
    }
    if (telling.isDue()) {
      its.add(
          telling(
              delivery,
              telling.told() + 1,
              State.WAITING,
              telling.attempts(),
              telling.error(),
              telling.dueMillis()));
    }
    its.removeIf(one -> state != null && one.state() != state);
    its.sort(Comparator.comparingInt(Outbox.Telling::sequence).reversed());
    all.addAll(its);
  }

  private static Outbox.Telling telling(
      Delivery delivery,
      int sequence,
      State state,
      int attempts,
      @Nullable String error,
      long atMillis) {
    DeliveryEvent event = delivery.event(sequence);
    String type = event == null ? "" : event.step().eventType();
    return new Outbox.Telling(delivery.id(), sequence, type, state, attempts, error, atMillis);
  }
}
