package gilmok.http;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads small bodies that are one JSON object; for operators' requests, not for phones'. A body is
 * invalid if a name appears twice in it or anything follows the object. From any thread.
 */
public final class JsonBody {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonBody() {}

  /** Parses a body; null when it is not one JSON object. */
  public static @Nullable JsonNode object(byte[] bytes, int offset, int length) {
    try {
      JsonNode root = JSON.readTree(bytes, offset, length);
      return root != null && root.isObject() ? root : null;
    } catch (JacksonException _) {
      return null;
    }
  }

  /** The first member whose name is not among these; null when there is none. */
  public static @Nullable String unknown(JsonNode object, Collection<String> known) {
    for (String name : object.propertyNames()) {
      if (!known.contains(name)) {
        return name;
      }
    }
    return null;
  }

  /** A member's text; null when it is not a text, or not there. */
  public static @Nullable String text(JsonNode object, String name) {
    JsonNode member = object.path(name);
    return member.isString() ? member.stringValue() : null;
  }

  /** Whether a member is missing or null. */
  public static boolean isAbsent(JsonNode member) {
    return member.isMissingNode() || member.isNull();
  }
}
