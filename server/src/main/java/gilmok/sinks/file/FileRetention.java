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
 * Deletes published files that are older than they are kept, and the oldest of what is too much.
 * Only files that this node has published, as their names say, in the folders of the sink's
 * streams: none that is being written, none of another node's, none of anybody else's. The newest
 * file always stays.
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
      new RateLimitedLog("gilmok.sinks", "shipped files are kept longer");
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
            "Published files that were deleted as they were too old or too many.",
            "sink",
            sink);
    bytes = meters.counter("gilmok_files_deleted_bytes_total", "Bytes of these.", "sink", sink);
  }

  /** Looks at most once a minute. What cannot be deleted is tried again then. */
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

  /** The folders of an hour and a date go with their last file. */
  private void leave(Path hour) throws IOException {
    if (list(hour).isEmpty()) {
      disk.delete(hour);
      Path date = hour.resolveSibling("");
      if (list(date).isEmpty()) {
        disk.delete(date);
      }
    }
  }

  /** All of ours, the oldest first. */
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

  /** What is in a folder; nothing where there is none. */
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
