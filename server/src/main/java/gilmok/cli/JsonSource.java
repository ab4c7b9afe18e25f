package gilmok.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records from NDJSON, sent unchanged. A line of {@code gilmok log show} is sent to the route of
 * its stream; streams that no client writes (deliveries, quarantine) are skipped.
 *
 * <p>Not thread-safe: owned by the reading thread.
 */
final class JsonSource implements RecordingSource {
  static final String TRACES = "/v1/traces";

  private static final Map<String, String> PATHS =
      Map.of("traces", TRACES, "actions", "/v1/actions", "logs", "/v1/logs");

  private final JsonMapper mapper = new JsonMapper();
  private final BufferedReader reader;
  private long line;
  private long passedOver;

  JsonSource(Reader reader) {
    this.reader = reader instanceof BufferedReader buffered ? buffered : new BufferedReader(reader);
  }

  @Override
  public @Nullable RecordingEntry next() throws IOException {
    while (true) {
      String text = reader.readLine();
      if (text == null) {
        return null;
      }
      line++;
      if (text.isBlank()) {
        continue;
      }
      JsonNode node = parse(text);
      if (!node.has("recordId") || !node.path("record").isObject()) {
        return entry(TRACES, node, text.strip());
      }
      String path = PATHS.get(node.path("stream").asString(""));
      if (path != null) {
        JsonNode record = node.path("record");
        return entry(path, record, record.toString());
      }
      passedOver++;
    }
  }

  @Override
  public long passedOver() {
    return passedOver;
  }

  private JsonNode parse(String text) {
    try {
      JsonNode node = mapper.readTree(text);
      if (node.isObject()) {
        return node;
      }
    } catch (JacksonException broken) {
      throw new CommandFailure("line " + line + ": not JSON: " + broken.getOriginalMessage());
    }
    throw new CommandFailure("line " + line + ": not a JSON object");
  }

  private RecordingEntry entry(String path, JsonNode node, String json) {
    String rider = node.path("riderId").asString("");
    long at = RecordingTimes.millis(node.path("at").asString(""));
    return new RecordingEntry(line, path, rider, at, json);
  }
}
