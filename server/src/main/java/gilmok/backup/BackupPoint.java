package gilmok.backup;

import gilmok.event.JsonBuffer;
import gilmok.log.SegmentFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a backup of one point holds, and where it can be read now. Immutable.
 *
 * @param origin whose it is
 * @param atMillis when it was taken, epoch ms
 * @param segments the log; its {@code through} is the last sequence of the point
 * @param files every other file
 * @param settings those in force then, secrets masked
 */
public record BackupPoint(
    Origin origin,
    long atMillis,
    SegmentFiles segments,
    List<PointFile> files,
    Map<String, String> settings) {
  /** The documents are in the backup. */
  public static final String SQLITE = "sqlite";

  /** The documents are in MongoDB, and are backed up there. */
  public static final String MONGODB = "mongodb";

  public BackupPoint {
    files = List.copyOf(files);
    settings = Map.copyOf(settings);
  }

  /**
   * Whose data it is.
   *
   * @param node the node's id
   * @param format of its data folder
   * @param version of the program
   * @param documents {@link #SQLITE} or {@link #MONGODB}
   */
  public record Origin(String node, int format, String version, String documents) {}

  /**
   * A file of the point.
   *
   * @param path in the data folder
   * @param now where it can be read, as long as the point is kept
   */
  public record PointFile(String path, Path now, long bytes) {
    private static void write(PointFile file, JsonBuffer json) {
      json.ascii("{\"path\":").string(file.path).ascii(",\"bytes\":").number(file.bytes).put('}');
    }
  }

  /** Writes it as JSON, without where it is. */
  public void write(JsonBuffer out) {
    out.ascii("{\"node\":").string(origin.node).ascii(",\"format\":").number((long) origin.format);
    out.ascii(",\"version\":").string(origin.version);
    out.ascii(",\"documents\":").string(origin.documents);
    out.ascii(",\"at\":").number(atMillis).ascii(",\"through\":").number(segments.through());
    out.ascii(",\"segments\":");
    segments(segments.files(), out);
    out.ascii(",\"files\":").list(files, PointFile::write);
    out.ascii(",\"settings\":{");
    String comma = "";
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      out.ascii(comma).string(setting.getKey()).ascii(":").string(setting.getValue());
      comma = ",";
    }
    out.ascii("}}");
  }

  /** Writes a list of segments. */
  static void segments(List<SegmentFiles.File> files, JsonBuffer out) {
    out.list(
        files,
        (file, json) -> {
          json.ascii("{\"first\":").number(file.first());
          json.ascii(",\"epoch\":").string(Long.toHexString(file.epoch()));
          json.ascii(",\"bytes\":").number(file.bytes());
          json.ascii(file.isEnded() ? ",\"isEnded\":true}" : ",\"isEnded\":false}");
        });
  }
}
