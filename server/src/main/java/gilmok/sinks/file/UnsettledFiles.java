package gilmok.sinks.file;

import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Files that were published but that the cursor does not cover: the process was killed between the
 * two, or the sink was rewound. Their records are sent again. Once these are in new files, the old
 * files have to be deleted, or every record would be there twice.
 *
 * <p>An old file is deleted only when both the first and the last sequence of its name were sent
 * again, in the log's order, and what was sent is published: then all its records are in new files.
 * A single replayed record, or a sink whose streams were changed, does not meet this. Repeats then
 * remain, which readers drop by the record id.
 *
 * <p>Not thread-safe: owned by the sink's sender.
 */
final class UnsettledFiles {
  private static final LinkOption[] FOLLOW = {};

  private static final class Old {
    private final long first;
    private final long last;
    private final List<Path> paths = new ArrayList<>();
    private boolean firstSeen;

    Old(long first, long last) {
      this.first = first;
      this.last = last;
    }
  }

  private final Deque<Old> ahead;
  private final List<Path> replaced = new ArrayList<>();

  private UnsettledFiles(Deque<Old> ahead) {
    this.ahead = ahead;
  }

  /**
   * Finds the files of this batch's node with records of the batch or after it.
   *
   * @param streams the sink's streams: files of others are not written again
   */
  static UnsettledFiles find(Path folder, Set<Stream> streams, FileFormat format, Batch batch)
      throws IOException {
    // A clock that was set back in between is assumed to be off by at most a day. Another day is
    // for
    // the dates of any zone, also of one that the folders had before.
    Instant oldest = Instant.ofEpochMilli(batch.receivedAtMillis(0)).minus(2, ChronoUnit.DAYS);
    String oldestDate = "date=" + oldest.atOffset(ZoneOffset.UTC).toLocalDate();
    Map<String, Old> found = new TreeMap<>();
    for (Stream stream : streams) {
      for (Path date : FileRetention.list(folder.resolve("stream=" + stream.label()), FOLLOW)) {
        if (name(date).compareTo(oldestDate) >= 0) {
          for (Path hour : FileRetention.list(date, FOLLOW)) {
            look(hour, batch.node(), format, batch.sequence(0), found);
          }
        }
      }
    }
    return new UnsettledFiles(new ArrayDeque<>(found.values()));
  }

  private static void look(
      Path hour, NodeId node, FileFormat format, long from, Map<String, Old> found)
      throws IOException {
    for (Path path : FileRetention.list(hour, FOLLOW)) {
      String name = name(path);
      if (name.matches(node + "-\\d{20}-\\d{20}" + format.suffix().replace(".", "\\."))) {
        int dash = name.indexOf('-');
        long first = Long.parseLong(name, dash + 1, dash + 21, 10);
        long last = Long.parseLong(name, dash + 22, dash + 42, 10);
        if (first >= from) {
          found.computeIfAbsent(name, _ -> new Old(first, last)).paths.add(path);
        }
      }
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /** Records which sequences are sent again. */
  void see(Batch batch) {
    long from = batch.sequence(0);
    long to = batch.sequence(batch.size() - 1);
    for (var all = ahead.iterator(); all.hasNext(); ) {
      Old old = all.next();
      if (old.first > to) {
        return;
      }
      old.firstSeen |= old.first >= from && batch.has(old.first);
      if (old.last <= to) {
        if (old.firstSeen && batch.has(old.last)) {
          replaced.addAll(old.paths);
        }
        all.remove();
      }
    }
  }

  /**
   * After publishing: returns the old files whose records are all in new ones. Each is returned
   * once.
   */
  List<Path> replaced() {
    List<Path> all = List.copyOf(replaced);
    replaced.clear();
    return all;
  }
}
