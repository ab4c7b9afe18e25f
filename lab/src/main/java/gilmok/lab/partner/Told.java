package gilmok.lab.partner;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One event of a delivery, from a webhook.
 *
 * @param isEnd whether it is the last event of the delivery
 * @param at the time of the event, in epoch milliseconds
 */
record Told(String deliveryId, int sequence, boolean isEnd, long at) {
  private static final Set<String> ENDS =
      Set.of("delivery.completed", "delivery.declined", "delivery.cancelled", "delivery.failed");

  /** Parses a webhook; null if it does not have the documented form. */
  static @Nullable Told read(String webhookId, byte[] body) {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(body);
    } catch (JacksonException unreadable) {
      return null;
    }
    String type = root.path("type").asString("");
    String id = root.path("data").path("id").asString("");
    int sequence = root.path("sequence").asInt(0);
    boolean isPromised =
        type.startsWith("delivery.") && sequence > 0 && webhookId.equals(id + ":" + sequence);
    try {
      long at = Instant.parse(root.path("timestamp").asString("")).toEpochMilli();
      return isPromised ? new Told(id, sequence, ENDS.contains(type), at) : null;
    } catch (DateTimeParseException noTime) {
      return null;
    }
  }
}
