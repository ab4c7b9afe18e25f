package gilmok.deliveries.relay;

import gilmok.deliveries.Partner;
import gilmok.deliveries.WebhookAttempt;
import gilmok.deliveries.WebhookState;
import gilmok.deliveries.WebhookState.State;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Partners and webhooks as JSON. Of secrets only the number is shown. */
final class PartnerJson {
  private PartnerJson() {}

  static JsonBuffer partner(
      Partner partner,
      PartnerBulkhead.@Nullable Standing standing,
      int waiting,
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
    out.ascii(",\"telling\":").number(standing == null ? 0L : standing.inFlight());
    out.ascii(",\"waiting\":").number((long) waiting);
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

  static JsonBuffer webhooks(WebhookState.Page page) {
    String last = page.next();
    String next = last == null ? null : cursor(last);
    return new JsonBuffer().page(page.states(), PartnerJson::write, next);
  }

  private static void write(WebhookState webhook, JsonBuffer out) {
    out.ascii("{\"relayId\":").string(Webhook.id(webhook.deliveryId(), webhook.sequence()));
    out.ascii(",\"deliveryId\":").string(webhook.deliveryId());
    out.ascii(",\"sequence\":").number((long) webhook.sequence());
    out.ascii(",\"type\":").string(webhook.type());
    out.ascii(",\"state\":\"").ascii(state(webhook.state()));
    out.ascii("\",\"attempts\":").number((long) webhook.attempts());
    if (webhook.error() != null) {
      out.ascii(",\"error\":").string(webhook.error());
    }
    out.ascii(",\"at\":").time(webhook.atMillis());
    if (webhook.state() == State.WAITING) {
      out.ascii(",\"nextAt\":").time(webhook.atMillis());
    }
    out.ascii(",\"history\":[");
    String between = "";
    for (WebhookAttempt attempt : webhook.history()) {
      write(attempt, out.ascii(between));
      between = ",";
    }
    out.ascii("]}");
  }

  private static void write(WebhookAttempt attempt, JsonBuffer out) {
    out.ascii("{\"at\":").time(attempt.atMillis());
    if (attempt.status() > 0) {
      out.ascii(",\"status\":").number((long) attempt.status());
    }
    out.ascii(",\"latencyMillis\":").number(attempt.latencyMillis());
    if (attempt.error() != null) {
      out.ascii(",\"error\":").string(attempt.error());
    }
    out.put('}');
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

  static JsonBuffer deliveries(long deliveries) {
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
