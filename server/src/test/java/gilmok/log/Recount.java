package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Compares the counts that a log reports with a count of all its records. */
final class Recount {
  private Recount() {}

  /** Checks a log of which nothing was deleted. */
  static void check(Log log) throws IOException {
    check(log, new StreamCounts());
  }

  /**
   * Checks the counts at every sequence: upwards, downwards, and in the order of a cursor that
   * lags.
   *
   * @param before the counts of the records before the oldest segment
   */
  static void check(Log log, StreamCounts before) throws IOException {
    NavigableMap<Long, StreamCounts> counted = count(log, before);
    assertThat(log.oldestSequence()).isEqualTo(counted.firstKey() + 1);
    assertThat(log.durable()).isEqualTo(counted.lastKey());
    assertThat(log.accepted()).as("accepted").isEqualTo(counted.lastEntry().getValue());
    for (long sequence : counted.descendingKeySet()) {
      checkAt(log, sequence, counted);
    }
    for (long sequence : counted.keySet()) {
      checkAt(log, sequence, counted);
      checkAt(log, Math.max(counted.firstKey(), sequence - 7), counted);
    }
  }

  /** The counts through each sequence. */
  static NavigableMap<Long, StreamCounts> count(Log log, StreamCounts before) throws IOException {
    NavigableMap<Long, StreamCounts> counted = new TreeMap<>();
    StreamCounts counts = before.copy();
    counted.put(log.oldestSequence() - 1, counts.copy());
    try (LogReader reader = log.reader(1)) {
      while (reader.next()) {
        counts.add(reader.stream());
        counted.put(reader.sequence(), counts.copy());
      }
    }
    return counted;
  }

  private static void checkAt(Log log, long sequence, NavigableMap<Long, StreamCounts> counted)
      throws IOException {
    assertThat(log.acceptedThrough(sequence))
        .as("accepted through %d", sequence)
        .isEqualTo(counted.get(sequence));
  }
}
