package gilmok.cli;

import gilmok.event.DamagedEvent;
import gilmok.event.EventView;
import gilmok.log.DamagedLogException;
import gilmok.log.LogReader;
import gilmok.log.LostRange;
import gilmok.log.Stream;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * What is in a sound log.
 *
 * @param first the first sequence; 0 for a log without records
 * @param counts records by stream
 * @param missing lines about sequences that were lost, skipped or erased before
 */
record LogVerification(long first, long last, Map<Stream, Long> counts, List<String> missing) {
  /**
   * Reads a log, and checks every record.
   *
   * @param progress told how many records were read
   * @throws CommandFailure when one is damaged or missing
   */
  static LogVerification of(Path log, LongConsumer progress) throws IOException {
    Map<Stream, Long> counts = new EnumMap<>(Stream.class);
    EventView view = new EventView();
    List<String> missing = new ArrayList<>();
    long first = 0;
    long last = 0;
    long erased = 0;
    try (LogReader reader = LogReader.beside(new FileDisk(), log, 1)) {
      while (nextEntry(reader)) {
        if (first == 0) {
          first = reader.sequence();
        } else if (reader.sequence() != last + 1) {
          missing.add(gap(reader, last));
        }
        last = reader.sequence();
        if (reader.isErased()) {
          erased++;
        } else {
          check(reader, view);
          counts.merge(reader.stream(), 1L, Long::sum);
        }
        progress.accept(last - first + 1);
      }
    }
    if (erased > 0) {
      missing.add("  %d records were erased, and left a tombstone".formatted(erased));
    }
    return new LogVerification(first, last, counts, missing);
  }

  private static String gap(LogReader reader, long last) {
    LostRange lost = reader.lostBefore();
    if (lost == null || lost.from() != last + 1 || lost.to() != reader.sequence() - 1) {
      throw new CommandFailure("sequence " + (last + 1) + " is missing");
    }
    return "  sequences "
        + lost.from()
        + " to "
        + lost.to()
        + (lost.isSkipped() ? " were skipped after a crash" : " were lost before");
  }

  /** What to print. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(first == 0 ? "sound; no records" : "sound; sequences " + first + " to " + last + ":");
    counts.forEach((stream, count) -> lines.add("  " + stream.label() + " " + count));
    lines.addAll(missing);
    return lines;
  }

  private static boolean nextEntry(LogReader reader) throws IOException {
    try {
      return reader.nextEntry();
    } catch (DamagedLogException | DamagedEvent damaged) {
      throw new CommandFailure("the log is damaged: " + damaged.getMessage());
    }
  }

  static boolean next(LogReader reader) throws IOException {
    try {
      return reader.next();
    } catch (DamagedLogException | DamagedEvent damaged) {
      throw new CommandFailure("the log is damaged: " + damaged.getMessage());
    }
  }

  /** Checks that the reader's present record is a whole event. */
  static void check(LogReader reader, EventView view) {
    try {
      view.wrap(reader.bytes(), reader.offset(), reader.length());
    } catch (DamagedEvent damaged) {
      throw new CommandFailure("record " + reader.sequence() + ": " + damaged.getMessage());
    }
  }
}
