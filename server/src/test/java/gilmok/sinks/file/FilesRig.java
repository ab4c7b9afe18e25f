package gilmok.sinks.file;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sinks that write into one folder, with a clock that the test sets, and queries of it by DuckDB.
 */
final class FilesRig {
  final Path folder;
  final Records records = new Records(42);
  private final String format;
  private final Map<String, String> settings = new HashMap<>();
  long nowMillis = Records.TWO_PM;

  FilesRig(Path folder, String format) {
    this.folder = folder;
    this.format = format;
    set("folder", folder.toString());
    set("format", format);
  }

  FilesRig set(String key, String value) {
    settings.put("sinks.files." + key, value);
    return this;
  }

  FilesSink sink() {
    return sink(Records.NODE, new FileDisk());
  }

  FilesSink sink(NodeId node, Disk disk) {
    return sink(node, disk, new Meters());
  }

  FilesSink sink(NodeId node, Disk disk, Meters meters) {
    FilesConfig config = FilesConfig.from(new Settings(settings), "files");
    return new FilesSink(config, folder, node, disk, () -> Instant.ofEpochMilli(nowMillis), meters);
  }

  /** A batch of positions with these sequences, received now. */
  Batch positions(long first, long last) {
    return positions(Records.NODE, first, last);
  }

  Batch positions(NodeId node, long first, long last) {
    Batch batch = new Batch(node);
    for (long sequence = first; sequence <= last; sequence++) {
      records.position(batch, sequence, nowMillis);
    }
    return batch;
  }

  /** A batch with one record of each usual stream, from that sequence on, received now. */
  Batch oneOfEach(long first) {
    Batch batch = new Batch(Records.NODE);
    long sequence = first;
    for (Stream stream : EnumSet.complementOf(EnumSet.of(Stream.AUDIT))) {
      records.any(batch, stream, sequence++, nowMillis);
    }
    return batch;
  }

  /** Sends the batches and publishes them. */
  static Verdict.Done ship(FilesSink sink, Batch... batches) throws InterruptedException {
    for (Batch batch : batches) {
      sink.send(batch);
    }
    if (sink.release(true) instanceof Verdict.Done done) {
      return done;
    }
    throw new AssertionError("not done");
  }

  /** The paths of all files relative to the folder, sorted; hidden files too. */
  List<String> files() throws IOException {
    try (var paths = Files.walk(folder)) {
      return paths
          .filter(Files::isRegularFile)
          .map(path -> folder.relativize(path).toString())
          .sorted()
          .toList();
    }
  }

  String suffix() {
    return format.equals("parquet") ? ".parquet" : ".ndjson.zst";
  }

  /** The path of the file with that range of that stream, received at two. */
  String file(String stream, long first, long last) {
    return String.format(
        "stream=%s/date=2026-11-21/hour=14/%s-%020d-%020d%s",
        stream, Records.NODE, first, last, suffix());
  }

  /** The sequences that DuckDB reads from all files of a stream, sorted. */
  List<Long> sequences(String stream) throws SQLException {
    List<Long> sequences = new ArrayList<>();
    String files = folder + "/stream=" + stream + "/*/*/*" + suffix();
    String from = format.equals("parquet") ? "read_parquet" : "read_json";
    for (List<Object> row :
        query(
            "select sequence from "
                + from
                + "('"
                + files
                + "', union_by_name = true) order by sequence")) {
      sequences.add((Long) row.getFirst());
    }
    return sequences;
  }

  /** The rows that DuckDB answers. */
  static List<List<Object>> query(String sql) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getObject(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }
}
