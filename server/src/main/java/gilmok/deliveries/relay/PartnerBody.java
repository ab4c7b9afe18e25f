package gilmok.deliveries.relay;

import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Step;
import gilmok.event.Rfc3339;
import gilmok.http.JsonBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The parsed bodies of the partners' routes. */
sealed interface PartnerBody {
  /**
   * A partner to add or change: {@code {kind, url, secret, events}}.
   *
   * @param secret null to keep the present one
   */
  record Wish(OutboxReader reader, String url, @Nullable String secret, List<String> events)
      implements PartnerBody {}

  /** The start of a replay: {@code {"from": RFC 3339}}. */
  record From(long millis) implements PartnerBody {}

  /** Not a JSON object. */
  record Unreadable() implements PartnerBody {}

  /** A field is wrong. */
  record Wrong(String field, String reason) implements PartnerBody {}

  Set<String> FIELDS = Set.of("kind", "url", "secret", "events");
  String ALL = "*";

  /** Reads the body that adds or changes a partner. */
  static PartnerBody partner(byte[] body, AddressGuard guard) {
    JsonNode root = JsonBody.object(body, 0, body.length);
    if (root == null) {
      return new Unreadable();
    }
    String unknown = JsonBody.unknown(root, FIELDS);
    if (unknown != null) {
      return new Wrong(unknown, "is not a field of a partner");
    }
    OutboxReader reader = reader(JsonBody.text(root, "kind"));
    if (reader == null) {
      return new Wrong("kind", "must be shop or agency");
    }
    String url = JsonBody.text(root, "url");
    if (url == null) {
      return new Wrong("url", "needs a text");
    }
    if (WebhookTarget.read(url, guard) instanceof WebhookTarget.Reading.Bad bad) {
      return new Wrong("url", bad.reason());
    }
    JsonNode given = root.path("secret");
    String secret = JsonBody.text(root, "secret");
    if (secret == null && !JsonBody.isAbsent(given)) {
      return new Wrong("secret", "needs a text");
    }
    String fault = secret == null ? null : WebhookSecret.fault(secret);
    if (fault != null) {
      return new Wrong("secret", fault);
    }
    return events(root.path("events"), reader, url, secret);
  }

  private static PartnerBody events(
      JsonNode list, OutboxReader reader, String url, @Nullable String secret) {
    if (!list.isArray()) {
      return new Wrong("events", "needs a list");
    }
    Set<String> known = types();
    List<String> events = new ArrayList<>();
    for (JsonNode item : list) {
      String type = item.isString() ? item.stringValue() : "";
      if (!known.contains(type) && !type.equals(ALL)) {
        return new Wrong("events", "each must be * or a type such as delivery.accepted");
      }
      if (events.contains(type)) {
        return new Wrong("events", "has a type twice");
      }
      events.add(type);
    }
    if (events.contains(ALL) && events.size() > 1) {
      return new Wrong("events", "must have * alone");
    }
    return new Wish(reader, url, secret, events);
  }

  private static Set<String> types() {
    return Arrays.stream(Step.values()).map(Step::eventType).collect(Collectors.toSet());
  }

  /** Reads the body that starts a replay. */
  static PartnerBody replay(byte[] body) {
    JsonNode root = JsonBody.object(body, 0, body.length);
    if (root == null) {
      return new Unreadable();
    }
    String unknown = JsonBody.unknown(root, Set.of("from"));
    if (unknown != null) {
      return new Wrong(unknown, "is not a field of a replay");
    }
    String from = JsonBody.text(root, "from");
    long millis = Rfc3339.parse(from);
    return millis == Rfc3339.NOT_A_TIME
        ? new Wrong("from", "needs RFC 3339, as in 2026-11-21T09:00:00Z")
        : new From(millis);
  }

  /** The reader for a partner's kind, {@code shop} or {@code agency}; null for any other text. */
  static @Nullable OutboxReader reader(@Nullable String kind) {
    return switch (kind) {
      case "shop" -> OutboxReader.SHOP;
      case "agency" -> OutboxReader.AGENCY;
      case null, default -> null;
    };
  }
}
