package gilmok.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server's account of a batch of imported records.
 *
 * @param differing the ids of those that are there with other values
 * @param sum of those that are there as they were sent
 * @param place where the server keeps records; null if it does not say
 */
record ImportReply(
    long accepted,
    long duplicates,
    List<String> differing,
    List<Rejected> rejected,
    long sum,
    @Nullable Place place) {
  /** Of a batch of which nothing was taken. */
  static final ImportReply NOTHING = new ImportReply(0, 0, List.of(), List.of(), 0, null);

  /**
   * Where a server keeps records.
   *
   * @param sequence how far its log has come, which only grows
   * @param isSole whether no other node may have answered instead
   */
  record Place(String node, long sequence, boolean isSole) {
    /** The place that an answer names; null if it names none. */
    private static @Nullable Place of(JsonNode answer) {
      JsonNode receipt = answer.path("receipt");
      JsonNode place = answer.path("place");
      if (receipt.has("last")) {
        return new Place(receipt.path("node").asString(""), receipt.path("last").asLong(), false);
      }
      return place.has("node")
          ? new Place(place.path("node").asString(""), place.path("sequence").asLong(), true)
          : null;
    }
  }

  /** A record that is not taken. */
  record Rejected(int index, String field, String reason) {}

  /** Reads an account; null if it does not account for that many records. */
  static @Nullable ImportReply of(byte[] body, int size) {
    try {
      JsonNode node = JsonMapper.shared().readTree(body);
      List<Rejected> rejected = new ArrayList<>();
      // What is collected has no sum, and calls its rejects quarantined.
      boolean isCollected = node.has("quarantined");
      for (JsonNode one : node.path(isCollected ? "quarantined" : "rejected")) {
        int index = one.path("index").asInt(-1);
        if (index < 0 || index >= size) {
          return null;
        }
        rejected.add(
            new Rejected(index, one.path("field").asString(""), one.path("reason").asString("")));
      }
      List<String> differing = new ArrayList<>();
      node.path("differing").forEach(id -> differing.add(id.asString("")));
      ImportReply reply =
          new ImportReply(
              node.path("accepted").asLong(-1),
              node.path("duplicates").asLong(-1),
              differing,
              rejected,
              Long.parseUnsignedLong(node.path("sum").asString("0"), 16),
              Place.of(node));
      boolean isCounted = reply.accepted >= 0 && reply.duplicates >= 0;
      return isCounted && reply.accepted + reply.duplicates + rejected.size() == size
          ? reply
          : null;
    } catch (JacksonException | NumberFormatException unreadable) {
      return null;
    }
  }
}
