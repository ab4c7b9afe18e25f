package gilmok.http;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads small bodies that are one JSON object: of operators, not of phones. What is in it twice, or
 * behind it, makes it none. From any thread.
 */
public final class JsonBody {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonBody() {}

  /** The object; null when the body is none. */
  public static @Nullable JsonNode object(byte[] bytes, int offset, int length) {
    try {
      JsonNode root = JSON.readTree(bytes, offset, length);
      return root != null && root.isObject() ? root : null;
    } catch (JacksonException _) {
      return null;
    }
  }

  /** The first member that is none of these; null when there is none. */
  public static @Nullable String unknown(JsonNode object, Collection<String> known) {
    for (String name : object.propertyNames()) {
      if (!known.contains(name)) {
        return name;
      }
    }
    return null;
  }

  /** A member's text; null when it is no text, or not there. */
  public static @Nullable String text(JsonNode object, String name) {
    JsonNode member = object.path(name);
    return member.isString() ? member.stringValue() : null;
  }

  /** Whether nothing is said by it. */
  public static boolean isAbsent(JsonNode member) {
    return member.isMissingNode() || member.isNull();
  }
}
