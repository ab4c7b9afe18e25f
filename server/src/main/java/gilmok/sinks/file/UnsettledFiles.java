package gilmok.sinks.file;

import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Files that were published while the cursor stands before them: the process was killed between the
 * two, or somebody rewound the sink. Their records are sent again, and when they stand in new files
 * the old ones have to go, or everything would be there twice.
 *
 * <p>An old file goes only when both the first and the last sequence of its name were sent again
 * since, in the log's order, and what was sent is published: then all of it was. A single record
 * that is sent once more, or a sink that takes other streams than before, does not do that, and
 * repeats remain, which readers drop by the record id.
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
   * Looks for files of this batch's node and what comes after it.
   *
   * @param streams what the sink takes: files of others are not written again
   */
  static UnsettledFiles find(Path folder, Set<Stream> streams, FileFormat format, Batch batch)
      throws IOException {
    // A clock that was set back between the two does not go back by more than a day.
    Instant oldest = Instant.ofEpochMilli(batch.receivedAtMillis(0)).minusSeconds(86_400);
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

  /** Notes what is sent again. */
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

  /** What was seen is published: the old files whose records are all in new ones. Asked once. */
  List<Path> replaced() {
    List<Path> all = List.copyOf(replaced);
    replaced.clear();
    return all;
  }
}
