package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The index counts what a reader counts, whatever has become of the footers. */
@Tag("unit")
final class StreamCountIndexTest {
  private final LogRig rig = new LogRig();

  @Test
  void acrossRolls_andReopened_isARecount() throws Exception {
    try (Log log = rig.open()) {
      assertThat(log.accepted()).isEqualTo(new StreamCounts());
      Recount.check(log);
      appendSome(log, 0, 40);
      Recount.check(log);
    }
    try (Log log = rig.open()) {
      Recount.check(log);
      appendSome(log, 40, 20);
      Recount.check(log);
    }
    rig.checkSound();
  }

  /** Every subset of the footers: zeroed, as an earlier version would leave them, or damaged. */
  @Test
  void footersGoneOrDamaged_isARecount() throws Exception {
    SavedFolder saved = saved();
    List<String> segments = saved.segments();
    assertThat(segments).hasSizeBetween(4, 7);
    for (int gone = 0; gone < 1 << segments.size(); gone++) {
      SavedFolder without = saved;
      for (int i = 0; i < segments.size(); i++) {
        if ((gone & 1 << i) != 0) {
          byte[] bytes = saved.bytes(segments.get(i));
          int footer = footer(bytes);
          assertThat(footer).isPositive();
          if (gone % 2 == 0) {
            Arrays.fill(bytes, footer, footer + SegmentFooter.BYTES_MAX, (byte) 0);
          } else {
            bytes[footer + BatchFormat.HEADER_BYTES + 7] ^= 1;
          }
          without = without.with(segments.get(i), bytes);
        }
      }
      try (Log log = new LogRig(without.restore(), rig.data).open()) {
        Recount.check(log);
      }
    }
  }

  /**
   * A segment without a footer must be read to be counted, and this one cannot be read. So the
   * search for a stream's first record must not skip it.
   */
  @Test
  void firstOf_segmentNobodyCanCount_isLookedInto() throws Exception {
    SavedFolder saved = saved();
    for (int i = 0; i < saved.segments().size() - 2; i++) {
      byte[] bytes = saved.bytes(saved.segments().get(i));
      int footer = footer(bytes);
      Arrays.fill(bytes, footer, footer + SegmentFooter.BYTES_MAX, (byte) 0);
      bytes[footer - 1] ^= 1;
      SavedFolder damaged = saved.with(saved.segments().get(i), bytes);
      try (Log log = new LogRig(damaged.restore(), rig.data).open()) {
        assertThatThrownBy(() -> Recount.check(log)).isInstanceOf(DamagedLogException.class);
        for (Stream stream : Stream.values()) {
          for (long from = 1; from <= log.durable(); from++) {
            long first = log.firstOf(stream, from);
            assertThat(first).isLessThanOrEqualTo(firstReadable(log, stream, from));
            assertThat(first).isBetween(from, log.durable() + 1);
          }
        }
      }
    }
  }

  private static long firstReadable(Log log, Stream stream, long from) throws Exception {
    for (long at = from; at <= log.durable(); ) {
      try (LogReader reader = log.reader(at)) {
        while (reader.next()) {
          if (reader.stream() == stream) {
            return reader.sequence();
          }
          at = reader.sequence() + 1;
        }
        return log.durable() + 1;
      } catch (DamagedLogException damaged) {
        at = log.nextSegment(at);
      }
    }
    return log.durable() + 1;
  }

  @Test
  void oldestSegmentsDeleted_countsStillIncludeThem() throws Exception {
    NavigableMap<Long, StreamCounts> counted;
    try (Log log = rig.open()) {
      appendSome(log, 0, 60);
      counted = Recount.count(log, new StreamCounts());
    }
    SavedFolder saved = SavedFolder.of(rig.disk, rig.data);
    for (String segment : saved.segments().subList(0, 3)) {
      saved = saved.without(segment);
      try (Log log = new LogRig(saved.restore(), rig.data).open()) {
        long before = log.oldestSequence() - 1;
        assertThat(before).isPositive();
        Recount.check(log, Objects.requireNonNull(counted.get(before)));
        assertThatThrownBy(() -> log.acceptedThrough(before - 1))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.acceptedThrough(61))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  private SavedFolder saved() throws Exception {
    try (Log log = rig.open()) {
      appendSome(log, 0, 40);
    }
    return SavedFolder.of(rig.disk, rig.data);
  }

  private static void appendSome(Log log, int from, int count) throws InterruptedException {
    for (int i = from; i < from + count; i++) {
      Records.append(log, Records.text("r", i, 700));
    }
  }

  /** The offset of the last batch without records. */
  private static int footer(byte[] segment) {
    int footer = 0;
    int at = SegmentFormat.HEADER_BYTES;
    while (at + BatchFormat.HEADER_BYTES <= segment.length && BigEndian.getInt(segment, at) > 0) {
      footer = BigEndian.getInt(segment, at + BatchFormat.COUNT_AT) == 0 ? at : footer;
      at += BigEndian.getInt(segment, at);
    }
    return footer;
  }
}
