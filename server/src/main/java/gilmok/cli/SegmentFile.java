package gilmok.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A file of the log as its folder shows it: named for its first sequence. */
record SegmentFile(String name, long first, long bytes) {
  private static final Pattern NAME = Pattern.compile("0\\d{19}\\.log");

  /** The segments of a log, the oldest first. */
  static List<SegmentFile> list(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log)) {
      return files
          .filter(file -> NAME.matcher(file.getFileName().toString()).matches())
          .map(SegmentFile::of)
          .sorted(Comparator.comparingLong(SegmentFile::first))
          .toList();
    }
  }

  private static SegmentFile of(Path file) {
    String name = file.getFileName().toString();
    // A segment that a running server deletes meanwhile counts as empty.
    long bytes = file.toFile().length();
    return new SegmentFile(name, Long.parseLong(name.substring(0, 20)), bytes);
  }
}
