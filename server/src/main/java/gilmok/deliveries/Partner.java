package gilmok.deliveries;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shop or an agency that is told of its deliveries.
 *
 * @param url where webhooks go
 * @param secrets {@code whsec_…}, the newest first: all of them sign while one is being replaced;
 *     at most 2
 * @param events types as {@code delivery.accepted}, or {@code *} alone for all
 * @param updatedAtMillis when it was last changed, epoch ms
 */
public record Partner(
    String id,
    Outbox.Reader reader,
    String url,
    List<String> secrets,
    List<String> events,
    long updatedAtMillis) {
  public Partner {
    secrets = List.copyOf(secrets);
    events = List.copyOf(events);
  }

  /**
   * This one, as it was read. What nobody can have put must not be taken for a partner's wishes: of
   * what it does not want it is never told again.
   *
   * @throws IllegalStateException when nobody can have put it so
   */
  Partner checked() {
    boolean isOne =
        !id.isEmpty()
            && url.startsWith("http")
            && !secrets.isEmpty()
            && events.stream().allMatch(one -> one.equals("*") || one.startsWith("delivery."));
    if (!isOne) {
      throw new IllegalStateException("its url, secrets or events are none");
    }
    return this;
  }

  /** The first event after {@code told} that it is to be told of; null when none is. */
  public @Nullable DeliveryEvent next(Delivery delivery, int told) {
    for (DeliveryEvent event : delivery.events()) {
      if (event.sequence() > told && wants(event.step().eventType())) {
        return event;
      }
    }
    return null;
  }

  /** Whether it wants to be told of that type. */
  public boolean wants(String type) {
    return events.contains("*") || events.contains(type);
  }
}
