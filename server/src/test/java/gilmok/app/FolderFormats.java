package gilmok.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The formats of a stopped server's data folder, read from the bytes of its files: by nothing of
 * the program, so that a change of the program cannot hide a change of the bytes.
 */
final class FolderFormats {
  /** The newest formats of what has an older one as long as nothing was erased. */
  private static final int SEGMENT_FORMAT = 2;

  private static final int SINK_FORMAT = 2;

  private static final int SEGMENT_FORMAT_AT = 8;
  private static final int SEGMENT_CRC_AT = 36;
  private static final int BATCH_HEADER_BYTES = 48;
  private static final int USER_VERSION_AT = 60;

  private FolderFormats() {}

  /** The formats, by the names of docs/compatibility.md; of several files the highest. */
  static Map<String, Long> of(Path data) throws IOException {
    Map<String, Long> all = new TreeMap<>();
    String node = Files.readString(data.resolve("node"));
    all.put("node", Long.parseLong(node.lines().findFirst().orElseThrow().substring(7)));
    for (Path segment : files(data.resolve("log"), ".log")) {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(segment));
      higher(all, "log/*.log", bytes.getInt(SEGMENT_FORMAT_AT));
      higher(all, "log/*.log, footer", bytes.get(endOf(bytes) - 1));
    }
    for (Path cursor : files(data.resolve("cursors"), ".cursor")) {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(cursor));
      higher(all, "cursors/*.cursor", unnumbered(bytes.getLong(0)));
      if (cursor.getFileName().toString().startsWith("ship.")) {
        higher(all, "cursors/ship.*.cursor, note", bytes.get(Long.BYTES));
      }
    }
    all.put("snapshots/repeats", unnumbered(head(data.resolve("snapshots/repeats")).getLong(0)));
    all.put("snapshots/live", -head(data.resolve("snapshots/live")).getLong(0));
    all.put("documents.db", (long) head(data.resolve("documents.db")).getInt(USER_VERSION_AT));
    all.put("devices", (long) head(data.resolve("devices")).get(0));
    all.put("inventory", (long) head(data.resolve("inventory")).get(0));
    for (Path receipts : files(data.resolve("receipts/files"), ".receipts")) {
      higher(all, "receipts/*/*.receipts", head(receipts).get(7) - '0');
    }
    for (Path job : files(data.resolve("jobs"), ".job")) {
      higher(all, "jobs/*.job", head(job).getInt(0));
    }
    return all;
  }

  /**
   * Gives a file the next format, and mends what is summed over it: as the next version may write
   * it.
   *
   * @param name of {@link #of}
   * @return the file
   */
  static Path raise(Path data, String name) throws IOException {
    return switch (name) {
      case "node" -> {
        Path file = data.resolve("node");
        Files.writeString(file, Files.readString(file).replaceFirst("format=2", "format=3"));
        yield file;
      }
      case "log/*.log" -> {
        Path file = files(data.resolve("log"), ".log").getFirst();
        ByteBuffer bytes = head(file);
        bytes.putInt(SEGMENT_FORMAT_AT, SEGMENT_FORMAT + 1);
        bytes.putInt(SEGMENT_CRC_AT, sum(bytes, 0, SEGMENT_CRC_AT));
        yield written(file, bytes);
      }
      case "log/*.log, footer" -> {
        Path file = files(data.resolve("log"), ".log").getFirst();
        ByteBuffer bytes = head(file);
        int end = endOf(bytes);
        int batch = end - BATCH_HEADER_BYTES - 8 * bytes.get(end - 2) - 2;
        bytes.put(end - 1, (byte) (bytes.get(end - 1) + 1));
        bytes.putInt(batch + 4, sum(bytes, batch + 8, end));
        yield written(file, bytes);
      }
      case "cursors/*.cursor" -> negative(data.resolve("cursors/live.cursor"));
      case "snapshots/repeats" -> negative(data.resolve(name));
      case "cursors/ship.*.cursor, note" ->
          next(data.resolve("cursors/ship.files.cursor"), Long.BYTES, SINK_FORMAT + 1);
      case "snapshots/live" -> {
        Path file = data.resolve(name);
        ByteBuffer bytes = head(file);
        yield summed(file, bytes.putLong(0, bytes.getLong(0) - 1));
      }
      case "devices", "inventory" -> next(data.resolve(name), 0);
      case "jobs/*.job" -> next(files(data.resolve("jobs"), ".job").getFirst(), 3);
      case "documents.db" -> {
        Path file = data.resolve(name);
        ByteBuffer bytes = head(file);
        bytes.putInt(USER_VERSION_AT, bytes.getInt(USER_VERSION_AT) + 1);
        yield written(file, bytes);
      }
      case "receipts/*/*.receipts" -> {
        Path file = files(data.resolve("receipts/files"), ".receipts").getFirst();
        ByteBuffer bytes = head(file);
        yield written(file, bytes.put(7, (byte) (bytes.get(7) + 1)));
      }
      default -> throw new AssertionError("how is " + name + " raised?");
    };
  }

  private static Path negative(Path file) throws IOException {
    return summed(file, head(file).putLong(0, -2));
  }

  private static Path next(Path file, int at) throws IOException {
    return next(file, at, head(file).get(at) + 1);
  }

  private static Path next(Path file, int at, int format) throws IOException {
    return summed(file, head(file).put(at, (byte) format));
  }

  /** Writes a file whose last four bytes are the sum of all before. */
  private static Path summed(Path file, ByteBuffer bytes) throws IOException {
    int end = bytes.limit() - Integer.BYTES;
    return written(file, bytes.putInt(end, sum(bytes, 0, end)));
  }

  private static Path written(Path file, ByteBuffer bytes) throws IOException {
    byte[] all = new byte[bytes.limit()];
    bytes.get(0, all);
    return Files.write(file, all);
  }

  private static int sum(ByteBuffer bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(from, to - from));
    return (int) crc.getValue();
  }

  /** The format of a file that had no number at first: a newer one begins with its negative. */
  private static long unnumbered(long first) {
    return first < 0 ? -first : 1;
  }

  private static void higher(Map<String, Long> all, String name, long format) {
    all.merge(name, format, Math::max);
  }

  /** Where the zeros begin that fill the rest of a segment. */
  private static int endOf(ByteBuffer segment) {
    int end = segment.limit();
    while (segment.get(end - 1) == 0) {
      end--;
    }
    return end;
  }

  private static ByteBuffer head(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file));
  }

  private static List<Path> files(Path folder, String suffix) throws IOException {
    try (var all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }
}
