package gilmok.deliveries;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shop or agency that is sent the events of its deliveries. Immutable.
 *
 * @param url where its webhooks are sent
 * @param secrets {@code whsec_…}, the newest first; at most 2, both of which sign while one
 *     replaces the other
 * @param events the event types it subscribes to, as {@code delivery.accepted}; {@code *} alone for
 *     all
 * @param updatedAtMillis when it was last changed, epoch ms
 */
public record Partner(
    String id,
    OutboxReader reader,
    String url,
    List<String> secrets,
    List<String> events,
    long updatedAtMillis) {
  public Partner {
    secrets = List.copyOf(secrets);
    events = List.copyOf(events);
  }

  /**
   * Checks a partner that was read from storage. A damaged one must not count as unsubscribed, as
   * events without a subscription are skipped for good.
   *
   * @return this
   * @throws IllegalStateException when no caller can have stored it like this
   */
  Partner checked() {
    boolean isOne =
        !id.isEmpty()
            && url.regionMatches(true, 0, "http", 0, 4)
            && !secrets.isEmpty()
            && events.stream().allMatch(one -> one.equals("*") || one.startsWith("delivery."));
    if (!isOne) {
      throw new IllegalStateException("its url, secrets or events are none");
    }
    return this;
  }

  /** The first event after {@code told} that it subscribes to; null when there is none. */
  public @Nullable DeliveryEvent next(Delivery delivery, int told) {
    for (DeliveryEvent event : delivery.events()) {
      if (event.sequence() > told && wants(event.step().eventType())) {
        return event;
      }
    }
    return null;
  }

  /** Whether it subscribes to that event type. */
  public boolean wants(String type) {
    return events.contains("*") || events.contains(type);
  }
}
