package gilmok.cli;

import gilmok.transfer.RecordSum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What an export has written, in {@code manifest.json} beside its files. Immutable. */
record ExportManifest(List<Entry> entries) {
  static final String NAME = "manifest.json";

  /**
   * One file.
   *
   * @param sum of its records ({@link RecordSum})
   */
  record Entry(String dataset, String file, long records, long sum) {}

  /** The entry of a file; null if a manifest beside it says nothing of it. */
  static @Nullable Entry of(Path file) {
    Path manifest = file.resolveSibling(NAME);
    if (!Files.isRegularFile(manifest)) {
      return null;
    }
    return read(manifest).entries.stream()
        .filter(entry -> entry.file.equals(String.valueOf(file.getFileName())))
        .findFirst()
        .orElse(null);
  }

  /** Reads a manifest. */
  static ExportManifest read(Path file) {
    try {
      List<Entry> entries = new ArrayList<>();
      JsonNode root = JsonMapper.shared().readTree(Files.readString(file));
      for (JsonNode one : root.path("files")) {
        entries.add(
            new Entry(
                one.path("dataset").asString(""),
                one.path("file").asString(""),
                one.path("records").asLong(),
                Long.parseUnsignedLong(one.path("sum").asString("0"), 16)));
      }
      return new ExportManifest(entries);
    } catch (IOException | JacksonException | NumberFormatException unreadable) {
      throw new CommandFailure(file + " is no manifest of an export: " + unreadable.getMessage());
    }
  }

  /** Writes it. */
  void write(Path folder, String server, String at) throws IOException {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("server", server);
    root.put("at", at);
    ArrayNode files = root.putArray("files");
    for (Entry entry : entries) {
      ObjectNode one = files.addObject();
      one.put("dataset", entry.dataset);
      one.put("file", entry.file);
      one.put("records", entry.records);
      one.put("sum", RecordSum.text(entry.sum));
    }
    Files.writeString(folder.resolve(NAME), root.toPrettyString() + "\n");
  }
}
