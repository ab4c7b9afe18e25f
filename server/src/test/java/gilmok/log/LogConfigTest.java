package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log's bounds and what must hold between them. */
@Tag("unit")
final class LogConfigTest {
  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void defaults() {
    assertThat(LogConfig.DEFAULTS)
        .isEqualTo(
            new LogConfig(
                67_108_864,
                8_388_608,
                65_536,
                17_179_869_184L,
                Duration.ofDays(7),
                4_000_000,
                Duration.ofMinutes(1)));
  }

  @Test
  void segment_mustHoldAGroup() {
    int overhead =
        SegmentFormat.HEADER_BYTES + BatchFormat.HEADER_BYTES + 3 * SegmentFooter.BYTES_MAX;
    assertThat(config(1000 + overhead, 1000, 1, 1L << 20, DAY, 1, DAY)).isNotNull();
    refused(999 + overhead, 1000, 1, 1L << 20, DAY, 1, DAY);
    refused(4096, 0, 1, 1L << 20, DAY, 1, DAY);
    refused(4096, -1, 1, 1L << 20, DAY, 1, DAY);
    refused(4096, Integer.MAX_VALUE, 1, 1L << 20, DAY, 1, DAY);
    refused(Integer.MIN_VALUE, 1, 1, 1L << 20, DAY, 1, DAY);
  }

  @Test
  void otherBounds() {
    refused(4096, 1000, 0, 1L << 20, DAY, 1, DAY);
    refused(4096, 1000, 1, 3 * 4096 - 1, DAY, 1, DAY);
    assertThat(config(4096, 1000, 1, 3 * 4096, DAY, 1, DAY)).isNotNull();
    refused(4096, 1000, 1, 1L << 20, Duration.ofMillis(-1), 1, DAY);
    assertThat(config(4096, 1000, 1, 1L << 20, Duration.ZERO, 1, DAY)).isNotNull();
    refused(4096, 1000, 1, 1L << 20, DAY, 0, DAY);
    refused(4096, 1000, 1, 1L << 20, DAY, DedupTable.CAPACITY_MAX + 1, DAY);
    refused(4096, 1000, 1, 1L << 20, DAY, 1, Duration.ofNanos(1));
  }

  private static LogConfig config(
      int segment, int group, int tickets, long max, Duration keep, int repeats, Duration each) {
    return new LogConfig(segment, group, tickets, max, keep, repeats, each);
  }

  private static void refused(
      int segment, int group, int tickets, long max, Duration keep, int repeats, Duration each) {
    assertThatThrownBy(() -> config(segment, group, tickets, max, keep, repeats, each))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
