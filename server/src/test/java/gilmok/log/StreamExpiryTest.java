package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams that are kept for a shorter time than the log. */
@Tag("unit")
final class StreamExpiryTest {
  private static final Duration KEEP = Duration.ofHours(2);

  private final LogRig rig = new LogRig();

  private void fill(Log log, int from) throws Exception {
    for (int i = from; i < from + 100; i++) {
      Records.append(log, Records.text("r", i, 250));
      LogRig.awaitReady(log);
    }
  }

  private static List<Long> erased(Log log) throws Exception {
    List<Long> erased = new ArrayList<>();
    try (LogReader reader = log.reader(1)) {
      while (reader.nextEntry()) {
        if (reader.isErased()) {
          assertThat(reader.stream()).isEqualTo(Stream.LOGS);
          erased.add(reader.sequence());
        }
      }
    }
    return erased;
  }

  @Test
  void pass_recordsOfItsStreamThatAllHavePassed_areErased() throws Exception {
    StreamRetention retention = new StreamRetention(Duration.ofDays(7), Map.of(Stream.LOGS, KEEP));
    try (Log log = rig.open()) {
      Cursor cursor = log.cursor("reader");
      StreamExpiry expiry = new StreamExpiry(log, retention, rig.clock);
      fill(log, 0);
      rig.now.addAndGet(KEEP.toMillis() / 2);
      fill(log, 100);
      long logs = log.accepted().of(Stream.LOGS);
      expiry.pass();
      assertThat(erased(log)).as("none is old enough").isEmpty();
      rig.now.addAndGet(KEEP.toMillis() / 2 + 1000);
      expiry.pass();
      assertThat(erased(log)).as("a reader has passed none").isEmpty();
      cursor.advance(60);
      expiry.pass();
      assertThat(erased(log)).isNotEmpty().allMatch(sequence -> sequence <= 60);
      cursor.advance(200);
      expiry.pass();
      assertThat(erased(log)).hasSizeGreaterThan(5).allMatch(sequence -> sequence <= 100);
      long segments = log.segments();
      rig.now.addAndGet(2 * KEEP.toMillis());
      expiry.pass();
      assertThat(erased(log)).anyMatch(sequence -> sequence > 100);
      assertThat(log.segments()).as("the newest is not ended for it").isEqualTo(segments);
      assertThat(log.accepted().of(Stream.LOGS)).isEqualTo(logs);
    }
    rig.checkSound();
  }

  @Test
  void from_settings_ownOfAStream_elseTheUsual() {
    StreamRetention retention =
        StreamRetention.from(
            new gilmok.config.Settings(Map.of("log.logs-retention", "3 h")),
            "log.",
            Duration.ofDays(7));
    assertThat(retention.of(Stream.LOGS)).isEqualTo(Duration.ofHours(3));
    assertThat(retention.of(Stream.TRACES)).isEqualTo(Duration.ofDays(7));
    assertThat(StreamRetention.of(Duration.ZERO).isAny()).isFalse();
    assertThat(retention.isAny()).isTrue();
  }
}
