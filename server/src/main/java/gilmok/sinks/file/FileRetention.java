package gilmok.sinks.file;

import gilmok.log.Stream;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.observe.RateLimitedLog;
import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Deletes published files that are older than the retention, and the oldest of those over the size
 * limit. It deletes only files that this node has published, by their names, in the folders of the
 * sink's streams: no unfinished files, and none of other nodes or programs. The newest file always
 * stays.
 *
 * <p>Not thread-safe: owned by the sink's sender.
 */
final class FileRetention {
  private static final long LOOK_MILLIS = Duration.ofMinutes(1).toMillis();

  private final Path folder;
  private final Set<Stream> streams;
  private final long keepMillis;
  private final long bytesMax;
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
  private record Published(Path path, long bytes, long atMillis) {}

  FileRetention(FilesConfig config, Path folder, NodeId node, Disk disk, Meters meters) {
    this.folder = folder;
    streams = config.common().streams();
    keepMillis = config.retention().toMillis();
    bytesMax = config.retentionBytesMax();
    String suffix = Pattern.quote(config.format().suffix());
    ours = Pattern.compile(Pattern.quote(node.toString()) + "-\\d{20}-\\d{20}" + suffix);
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
    boolean isOff = keepMillis == 0 && bytesMax == 0;
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
            look(path, all);
          }
        }
      }
    }
    all.sort(Comparator.comparingLong(Published::atMillis).thenComparing(Published::path));
    return all;
  }

  private void look(Path path, List<Published> all) throws IOException {
    if (!ours.matcher(String.valueOf(path.getFileName())).matches()) {
      return;
    }
    var about = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (about.isRegularFile()) {
      all.add(new Published(path, about.size(), about.lastModifiedTime().toMillis()));
    }
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
