package gilmok.deliveries;

import gilmok.deliveries.WebhookState.State;
import java.util.ArrayList;
import java.util.List;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The states of deliveries' webhooks for a partner, for lists. Thread-safe. */
final class MongoWebhookStates {
  private static final MongoDeliveryCodec CODEC = new MongoDeliveryCodec();

  private MongoWebhookStates() {}

  /**
   * The page of these raw documents, until it has {@code limit} entries. An unreadable document has
   * one entry for all of its webhooks.
   *
   * @param found at most {@code limit} documents; as many if more may follow
   */
  static WebhookState.Page page(
      List<RawBsonDocument> found, Partner partner, @Nullable State state, int limit) {
    List<WebhookState> page = new ArrayList<>();
    String last = null;
    for (RawBsonDocument one : found) {
      if (page.size() >= limit) {
        return new WebhookState.Page(page, last);
      }
      last = one.getString("_id").getValue();
      try {
        page.addAll(known(one.decode(CODEC), partner.reader()).states(partner, state));
      } catch (RuntimeException damaged) {
        page.add(WebhookState.unreadable(last, state, 0, damaged));
      }
    }
    return new WebhookState.Page(page, found.size() < limit ? null : last);
  }

  private static WebhookState.Known known(MongoDelivery stored, OutboxReader reader) {
    Delivery delivery = stored.delivery();
    MongoDelivery.Progress progress = stored.of(reader);
    List<WebhookState> deadLetters = new ArrayList<>();
    for (MongoDelivery.Aside aside : progress.aside()) {
      DeliveryEvent event = delivery.event(aside.sequence());
      deadLetters.add(
          new WebhookState(
              delivery.id(),
              aside.sequence(),
              event == null ? "" : event.step().eventType(),
              State.SET_ASIDE,
              aside.attempts(),
              aside.error(),
              aside.atMillis(),
              List.of()));
    }
    return new WebhookState.Known(
        delivery,
        progress.told(),
        progress.dueMillis(),
        progress.attempts(),
        progress.error(),
        deadLetters,
        progress.history());
  }
}
