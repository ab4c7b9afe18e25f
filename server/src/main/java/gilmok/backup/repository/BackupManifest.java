package gilmok.backup.repository;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one backup holds. Immutable.
 *
 * @param at when its point was taken
 * @param source whose data it is
 * @param through the last sequence of its log; 0 for none
 * @param segments of the log, the oldest first
 * @param files every other file
 * @param settings those of then, secrets masked
 */
public record BackupManifest(
    Instant at,
    Source source,
    long through,
    List<StoredSegment> segments,
    List<StoredFile> files,
    Map<String, String> settings) {
  private static final int FORMAT = 1;
  private static final DateTimeFormatter ID =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  public BackupManifest {
    segments = List.copyOf(segments);
    files = List.copyOf(files);
    settings = Map.copyOf(settings);
  }

  /**
   * Whose data it is.
   *
   * @param node the node's id
   * @param format of its data folder
   * @param version of the program
   * @param documents {@code sqlite} or {@code mongodb}
   */
  public record Source(String node, int format, String version, String documents) {}

  /**
   * A segment of the log.
   *
   * @param epoch random, in hexadecimal digits; with the first sequence it is like no other
   * @param isEnded whether it is whole, and never changes
   */
  public record StoredSegment(
      long first, String epoch, long bytes, boolean isEnded, List<String> chunks) {
    public StoredSegment {
      chunks = List.copyOf(chunks);
    }
  }

  /** A file, by its path in the data folder. */
  public record StoredFile(String path, long bytes, List<String> chunks) {
    public StoredFile {
      chunks = List.copyOf(chunks);
    }
  }

  /** A file of it; null when it has none of that path. */
  public @Nullable StoredFile file(String path) {
    return files.stream().filter(one -> one.path.equals(path)).findAny().orElse(null);
  }

  /** Its name among the backups of a node. */
  public String id() {
    return ID.format(at);
  }

  /** Bytes of all its files. */
  public long bytes() {
    return segments.stream().mapToLong(StoredSegment::bytes).sum()
        + files.stream().mapToLong(StoredFile::bytes).sum();
  }

  /** The names of all chunks, with repeats. */
  public List<String> chunks() {
    List<String> all = new ArrayList<>();
    segments.forEach(segment -> all.addAll(segment.chunks));
    files.forEach(file -> all.addAll(file.chunks));
    return all;
  }

  byte[] json() {
    JsonMapper mapper = JsonMapper.shared();
    ObjectNode root = mapper.createObjectNode();
    root.put("backup", FORMAT).put("at", at.toString());
    root.put("node", source.node).put("format", source.format);
    root.put("version", source.version).put("documents", source.documents);
    root.put("through", through);
    ArrayNode log = root.putArray("segments");
    for (StoredSegment segment : segments) {
      ObjectNode one = log.addObject().put("first", segment.first).put("epoch", segment.epoch);
      one.put("bytes", segment.bytes).put("isEnded", segment.isEnded);
      segment.chunks.forEach(one.putArray("chunks")::add);
    }
    ArrayNode rest = root.putArray("files");
    for (StoredFile file : files) {
      ObjectNode one = rest.addObject().put("path", file.path).put("bytes", file.bytes);
      file.chunks.forEach(one.putArray("chunks")::add);
    }
    ObjectNode then = root.putObject("settings");
    new TreeMap<>(settings).forEach(then::put);
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
  }

  static BackupManifest of(String name, byte[] json) throws DamagedBackupException {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(json);
    } catch (JacksonException noJson) {
      throw new DamagedBackupException(name, "is damaged: it is no JSON");
    }
    int format = root.path("backup").asInt(0);
    if (format > FORMAT) {
      throw new DamagedBackupException(
          name, "has format " + format + ", this program knows 1: use a newer one");
    }
    if (format < FORMAT) {
      throw new DamagedBackupException(name, "is no backup");
    }
    List<StoredSegment> segments = new ArrayList<>();
    for (JsonNode one : root.path("segments")) {
      segments.add(
          new StoredSegment(
              one.path("first").asLong(),
              one.path("epoch").asString(),
              one.path("bytes").asLong(),
              one.path("isEnded").asBoolean(),
              texts(one.path("chunks"))));
    }
    List<StoredFile> files = new ArrayList<>();
    for (JsonNode one : root.path("files")) {
      files.add(
          new StoredFile(
              one.path("path").asString(), one.path("bytes").asLong(), texts(one.path("chunks"))));
    }
    Map<String, String> settings = new TreeMap<>();
    root.path("settings").forEachEntry((key, value) -> settings.put(key, value.asString()));
    return new BackupManifest(
        Instant.parse(root.path("at").asString()),
        new Source(
            root.path("node").asString(),
            root.path("format").asInt(),
            root.path("version").asString(),
            root.path("documents").asString()),
        root.path("through").asLong(),
        segments,
        files,
        settings);
  }

  private static List<String> texts(JsonNode array) {
    List<String> all = new ArrayList<>();
    array.forEach(one -> all.add(one.asString()));
    return all;
  }
}
