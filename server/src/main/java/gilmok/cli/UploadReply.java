package gilmok.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server's answer to a batch. */
record UploadReply(
    long accepted, long duplicates, List<Reason> quarantined, @Nullable Receipt receipt) {
  /** Why one record was set aside. */
  record Reason(int index, String field, String reason) {}

  /** The sequences of the batch's records. */
  record Receipt(String node, long first, long last) {}

  /**
   * Parses the answer to a batch; null when it does not account for that many records.
   *
   * @param size the number of the batch's records
   */
  static @Nullable UploadReply of(byte[] body, int size) {
    try {
      JsonNode node = JsonMapper.shared().readTree(body);
      List<Reason> reasons = new ArrayList<>();
      for (JsonNode one : node.path("quarantined")) {
        int index = one.path("index").asInt(-1);
        if (index < 0 || index >= size) {
          return null;
        }
        reasons.add(
            new Reason(index, one.path("field").asString(""), one.path("reason").asString("")));
      }
      JsonNode receipt = node.path("receipt");
      UploadReply reply =
          new UploadReply(
              node.path("accepted").asLong(-1),
              node.path("duplicates").asLong(-1),
              List.copyOf(reasons),
              receipt.isObject()
                  ? new Receipt(
                      receipt.path("node").asString(""),
                      receipt.path("first").asLong(0),
                      receipt.path("last").asLong(0))
                  : null);
      boolean counted = reply.accepted >= 0 && reply.duplicates >= 0;
      return counted && reply.accepted + reply.duplicates + reasons.size() == size ? reply : null;
    } catch (JacksonException unreadable) {
      return null;
    }
  }
}
