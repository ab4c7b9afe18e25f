package gilmok.phones;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the body of {@code POST /v1/phones} says: {@code {url, riderId, key, app?}}. An app that is
 * null is as good as absent.
 */
sealed interface GuideBody {
  /** All is well. */
  record Wish(PhoneSetup setup, List<PhoneApp> apps) implements GuideBody {}

  /** Not a JSON object. */
  record Unreadable() implements GuideBody {}

  /** A field that is wrong. */
  record Wrong(String field, String reason) implements GuideBody {}

  /** Reads bodies. Thread-safe. */
  final class Reader {
    private static final Set<String> FIELDS = Set.of("url", "riderId", "key", "app");

    private final JsonMapper json =
        JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    GuideBody read(byte[] bytes, int offset, int length) {
      try {
        JsonNode root = json.readTree(bytes, offset, length);
        return root != null && root.isObject() ? read(root) : new Unreadable();
      } catch (JacksonException _) {
        return new Unreadable();
      }
    }

    private static GuideBody read(JsonNode root) {
      for (String field : root.propertyNames()) {
        if (!FIELDS.contains(field)) {
          return new Wrong(field, "is not a field of a phone's setup");
        }
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
      if (app.isMissingNode() || app.isNull()) {
        return new Wish(new PhoneSetup(url, riderId, key), List.of(PhoneApp.values()));
      }
      Optional<PhoneApp> one = app.isString() ? PhoneApp.of(app.stringValue()) : Optional.empty();
      return one.isPresent()
          ? new Wish(new PhoneSetup(url, riderId, key), List.of(one.get()))
          : new Wrong("app", "must be one of " + PhoneApp.labels());
    }
  }
}
