package gilmok.phones;

import gilmok.http.JsonBody;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The parsed body of {@code POST /v1/phones}: {@code {url, riderId, key, app?}}. An app that is
 * null counts as absent.
 */
sealed interface GuideBody {
  Set<String> FIELDS = Set.of("url", "riderId", "key", "app");

  /** A valid request. */
  record Wish(PhoneSetup setup, List<PhoneApp> apps) implements GuideBody {}

  /** The body is not a JSON object. */
  record Unreadable() implements GuideBody {}

  /** An invalid field. */
  record Wrong(String field, String reason) implements GuideBody {}

  /** Parses a body. */
  static GuideBody read(byte[] bytes, int offset, int length) {
    JsonNode root = JsonBody.object(bytes, offset, length);
    return root == null ? new Unreadable() : read(root);
  }

  private static GuideBody read(JsonNode root) {
    String unknown = JsonBody.unknown(root, FIELDS);
    if (unknown != null) {
      return new Wrong(unknown, "is not a field of a phone's setup");
    }
    for (String field : List.of("url", "riderId", "key")) {
      if (!root.path(field).isString()) {
        return new Wrong(field, "needs a text");
      }
    }
    String url = root.path("url").stringValue();
    String riderId = root.path("riderId").stringValue();
    String key = root.path("key").stringValue();
    PhoneSetup.Fault fault = PhoneSetup.fault(url, riderId, key);
    if (fault != null) {
      return new Wrong(fault.field(), fault.reason());
    }
    JsonNode app = root.path("app");
    if (JsonBody.isAbsent(app)) {
      return new Wish(new PhoneSetup(url, riderId, key), List.of(PhoneApp.values()));
    }
    Optional<PhoneApp> one = app.isString() ? PhoneApp.of(app.stringValue()) : Optional.empty();
    return one.isPresent()
        ? new Wish(new PhoneSetup(url, riderId, key), List.of(one.get()))
        : new Wrong("app", "must be one of " + PhoneApp.labels());
  }
}
