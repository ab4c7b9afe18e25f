package gilmok.sinks.file;

import gilmok.log.Stream;
import gilmok.log.StreamRetention;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.observe.RateLimitedLog;
import gilmok.shipped.ShippedName;
import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Deletes published files that are older than the retention, and the oldest of those over the size
 * limit. It deletes only files that this node has published or compacted, by their names, in the
 * folders of the sink's streams: no unfinished files, and none of other nodes or programs. The
 * newest file always stays.
 *
 * <p>Not thread-safe: owned by the sink's sender.
 */
final class FileRetention {
  private static final long LOOK_MILLIS = Duration.ofMinutes(1).toMillis();

  private final Path folder;
  private final Set<Stream> streams;
  private final StreamRetention retention;
  private final long bytesMax;
  private final FileFormat format;
  private final ZoneId zone;
  private final NodeId node;
  private final Pattern ours;
  private final Disk disk;
  private final RateLimitedLog rateLimitedLog =
      new RateLimitedLog(
          "gilmok.sinks",
          "published files over the retention could not be deleted; it is retried each"
              + " minute");
  private final Counter files;
  private final Counter bytes;
  private long lookedAtMillis = Long.MIN_VALUE;

  /** A file, and when it was published. */
  private record Published(Path path, Stream stream, long bytes, long atMillis) {}

  FileRetention(FilesConfig config, Path folder, NodeId node, Disk disk, Meters meters) {
    this.folder = folder;
    streams = config.common().streams();
    retention = config.retention();
    bytesMax = config.retentionBytesMax();
    format = config.format();
    zone = config.zone();
    this.node = node;
    ours = Pattern.compile(node + "-\\d{20}-\\d{20}" + Pattern.quote(format.suffix()));
    this.disk = disk;
    String sink = config.common().name();
    files =
        meters.counter(
            "gilmok_files_deleted_total",
            "Published files deleted by the retention.",
            "sink",
            sink);
    bytes = meters.counter("gilmok_files_deleted_bytes_total", "Bytes of these.", "sink", sink);
  }

  /**
   * Deletes what is due, at most once a minute. A file that cannot be deleted is tried again then.
   */
  void apply(long nowMillis) {
    boolean isOff = !retention.isAny() && bytesMax == 0;
    long since = nowMillis - lookedAtMillis;
    if (isOff || (lookedAtMillis != Long.MIN_VALUE && since >= 0 && since < LOOK_MILLIS)) {
      return;
    }
    lookedAtMillis = nowMillis;
    try {
      delete(nowMillis);
    } catch (IOException cannot) {
      rateLimitedLog.about(cannot);
    }
  }

  private void delete(long nowMillis) throws IOException {
    List<Published> all = published();
    long sum = all.stream().mapToLong(Published::bytes).sum();
    for (Published file : all.subList(0, Math.max(0, all.size() - 1))) {
      long keepMillis = retention.of(file.stream).toMillis();
      boolean isOld = keepMillis > 0 && nowMillis - file.atMillis > keepMillis;
      boolean isOver = bytesMax > 0 && sum > bytesMax;
      if (isOld || isOver) {
        disk.delete(file.path);
        sum -= file.bytes;
        files.increment();
        bytes.add(file.bytes);
        leave(file.path.resolveSibling(""));
      }
    }
  }

  /** Deletes the folders of an hour and a date once they are empty. */
  private void leave(Path hour) throws IOException {
    if (list(hour).isEmpty()) {
      disk.delete(hour);
      Path date = hour.resolveSibling("");
      if (list(date).isEmpty()) {
        disk.delete(date);
      }
    }
  }

  /** All files of this node, the oldest first. */
  private List<Published> published() throws IOException {
    List<Published> all = new ArrayList<>();
    for (Stream stream : streams) {
      for (Path date : list(folder.resolve("stream=" + stream.label()))) {
        for (Path hour : list(date)) {
          for (Path path : list(hour)) {
            look(path, stream, all);
          }
        }
      }
    }
    all.sort(Comparator.comparingLong(Published::atMillis).thenComparing(Published::path));
    return all;
  }

  private void look(Path path, Stream stream, List<Published> all) throws IOException {
    String name = String.valueOf(path.getFileName());
    boolean isPublished = ours.matcher(name).matches();
    if (!isPublished && !isCompacted(name)) {
      return;
    }
    try {
      var about = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (about.isRegularFile()) {
        long modified = about.lastModifiedTime().toMillis();
        long at = isPublished ? modified : Math.min(modified, endOfHour(path, modified));
        all.add(new Published(path, stream, about.size(), at));
      }
    } catch (NoSuchFileException compacted) {
      // Its records are in another file.
    }
  }

  private boolean isCompacted(String name) {
    ShippedName shipped = format == FileFormat.PARQUET ? ShippedName.parse(name) : null;
    return shipped != null && shipped.compaction() > 0 && shipped.node().equals(node.toString());
  }

  /** A compacted file is as old as what was received at the end of its hour, not as itself. */
  private long endOfHour(Path file, long otherwise) {
    FolderHour hour = FolderHour.parse(file.resolveSibling(""), zone);
    return hour == null ? otherwise : hour.untilMillis();
  }

  private static List<Path> list(Path path) throws IOException {
    return list(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** The contents of a folder; empty when there is no folder. */
  static List<Path> list(Path path, LinkOption... links) throws IOException {
    if (!Files.isDirectory(path, links)) {
      return List.of();
    }
    try (var paths = Files.list(path)) {
      return paths.toList();
    } catch (UncheckedIOException cannot) {
      throw cannot.getCause();
    }
  }
}
