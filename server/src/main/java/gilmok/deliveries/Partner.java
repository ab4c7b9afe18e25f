package gilmok.deliveries;

import java.util.List;

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

  /** Whether it wants to be told of that type. */
  public boolean wants(String type) {
    return events.contains("*") || events.contains(type);
  }
}
