package gilmok.deliveries.relay;

import gilmok.deliveries.Outbox.State;
import gilmok.deliveries.Outbox.Telling;
import gilmok.deliveries.Partner;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Partners and webhooks as JSON. Of secrets only the number is shown. */
final class PartnerJson {
  private PartnerJson() {}

  static JsonBuffer partner(
      Partner partner,
      PartnerBulkhead.@Nullable Standing standing,
      Duration overlap,
      long nowMillis) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"id\":").string(partner.id());
    out.ascii(",\"kind\":").string(RelayMeter.kind(partner.reader()));
    out.ascii(",\"url\":").string(partner.url());
    out.ascii(",\"events\":").strings(partner.events()).ascii(",\"secrets\":");
    out.number((long) Webhook.secrets(partner, overlap, nowMillis).size());
    out.ascii(",\"updatedAt\":").time(partner.updatedAtMillis());
    CircuitBreaker.State state = standing == null ? CircuitBreaker.State.CLOSED : standing.state();
    out.ascii(",\"breaker\":\"").ascii(state(state)).put('"');
    out.ascii(",\"telling\":").number(standing == null ? 0L : standing.telling());
    out.ascii(",\"waiting\":").number(standing == null ? 0L : standing.waiting());
    if (standing != null && standing.error() != null) {
      out.ascii(",\"error\":").string(standing.error());
      out.ascii(",\"errorAt\":").time(standing.errorAtMillis());
    }
    return out.put('}');
  }

  /**
   * A partner as the audit shows it.
   *
   * @param isNewSecret whether its secret was replaced
   */
  static String audited(Partner partner, boolean isNewSecret) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"kind\":").string(RelayMeter.kind(partner.reader()));
    out.ascii(",\"url\":").string(partner.url());
    out.ascii(",\"events\":").strings(partner.events());
    return out.ascii(isNewSecret ? ",\"newSecret\":true}" : "}").toString();
  }

  static JsonBuffer tellings(List<Telling> tellings, int limit) {
    boolean isLast = tellings.size() < limit;
    String next = isLast ? null : cursor(tellings.getLast().deliveryId());
    return new JsonBuffer().page(tellings, PartnerJson::write, next);
  }

  private static void write(Telling telling, JsonBuffer out) {
    out.ascii("{\"relayId\":").string(Webhook.id(telling.deliveryId(), telling.sequence()));
    out.ascii(",\"deliveryId\":").string(telling.deliveryId());
    out.ascii(",\"sequence\":").number((long) telling.sequence());
    out.ascii(",\"type\":").string(telling.type());
    out.ascii(",\"state\":\"").ascii(state(telling.state()));
    out.ascii("\",\"attempts\":").number((long) telling.attempts());
    if (telling.error() != null) {
      out.ascii(",\"error\":").string(telling.error());
    }
    out.ascii(",\"at\":").time(telling.atMillis()).put('}');
  }

  /** The outcome of a webhook that was sent by hand. */
  static JsonBuffer outcome(String relayId, WebhookOutcome outcome) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"relayId\":").string(relayId);
    out.ascii(",\"state\":").ascii(outcome.isSuccess() ? "\"told\"" : "\"failed\"");
    if (outcome.status() > 0) {
      out.ascii(",\"status\":").number((long) outcome.status());
    }
    if (!outcome.isSuccess()) {
      out.ascii(",\"error\":").string(outcome.error());
    }
    return out.put('}');
  }

  static JsonBuffer replayed(long deliveries) {
    return new JsonBuffer().ascii("{\"deliveries\":").number(deliveries).put('}');
  }

  /** The cursor of the page that follows: the last delivery's id, encoded. */
  static String cursor(String deliveryId) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(deliveryId.getBytes(StandardCharsets.UTF_8));
  }

  /** The state of that name; null for an unknown name. */
  static @Nullable State state(String name) {
    return Arrays.stream(State.values())
        .filter(state -> state(state).equals(name))
        .findAny()
        .orElse(null);
  }

  private static String state(Enum<?> state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
