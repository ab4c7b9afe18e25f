package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ReplayScheduleTest {
  private final HandWatch watch = new HandWatch();

  /** A watch that is set by hand. */
  private static final class HandWatch implements Watch {
    private long nanos = 77;

    void forward(long seconds) {
      nanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public boolean rest(long ignored) {
      return true;
    }

    @Override
    public boolean isStopped() {
      return false;
    }
  }

  @Test
  void text_followsThePace_notWhatWasRead() {
    ReplaySchedule schedule = schedule(TimeUnit.SECONDS.toNanos(100));
    assertThat(schedule.text()).isEmpty();
    schedule.start();
    assertThat(schedule.due(0)).isEqualTo(watch.nanos());
    schedule.passed(0);
    // The next one is read at once, and is due in 90 seconds.
    assertThat(schedule.due(180_000)).isEqualTo(watch.nanos() + TimeUnit.SECONDS.toNanos(90));
    assertThat(schedule.text()).isEqualTo("0 %, 1 min 40 s left");
    watch.forward(45);
    assertThat(schedule.text()).isEqualTo("45 %, 55 s left");
    watch.forward(45);
    schedule.passed(180_000);
    assertThat(schedule.text()).isEqualTo("90 %, 10 s left");
    schedule.due(200_000);
    watch.forward(10);
    assertThat(schedule.text()).isEqualTo("100 %, 0 s left");
  }

  @Test
  void text_slowServer_isWhereTheServerIs() {
    ReplaySchedule schedule = schedule(TimeUnit.SECONDS.toNanos(100));
    schedule.start();
    schedule.due(0);
    schedule.due(20_000);
    // It should be at 60 s; the record of 10 s has only now been handed over.
    watch.forward(60);
    assertThat(schedule.text()).isEqualTo("10 %, 1 min 30 s left");
  }

  @Test
  void text_fromStandardInput_isTheRecordedTime() {
    ReplaySchedule schedule = schedule(ReplaySchedule.UNKNOWN_LENGTH);
    schedule.start();
    assertThat(schedule.text()).isEmpty();
    schedule.due(1_767_225_600_500L);
    schedule.passed(1_767_225_600_500L);
    schedule.due(1_767_225_700_000L);
    assertThat(schedule.text()).isEqualTo("at 2026-01-01T00:00:00Z");
    schedule.passed(ReplayPace.UNKNOWN);
    assertThat(schedule.text()).isEqualTo("at 2026-01-01T00:00:00Z");
  }

  @Test
  void length_isThatOfThePace_upToALineThatIsBroken() throws IOException {
    assertThat(length(0, 10_000, 3_600_000, 3_601_000)).isEqualTo(5_000 + 60_000 + 500);
    assertThat(length(0, 10_000, -1, 20_000)).isEqualTo(5_000);
    assertThat(length()).isZero();
  }

  @Test
  void span_isAsAPersonSaysIt() {
    assertThat(Stream.of(0L, 1L, 60L, 185L, 7_800L).map(one -> span(one)))
        .containsExactly("0 s", "1 s", "1 min 00 s", "3 min 05 s", "2 h 10 min");
  }

  private static String span(long seconds) {
    return ReplaySchedule.span(TimeUnit.SECONDS.toNanos(seconds));
  }

  private ReplaySchedule schedule(long lengthNanos) {
    return new ReplaySchedule(pace(), lengthNanos, watch);
  }

  private static ReplayPace pace() {
    return new ReplayPace(2, Duration.ofMinutes(3));
  }

  /** The length in milliseconds of records with these times, where -1 is a broken line. */
  private static long length(long... times) throws IOException {
    Iterator<Long> left = Arrays.stream(times).boxed().iterator();
    RecordingSource source =
        () -> {
          if (!left.hasNext()) {
            return null;
          }
          long at = left.next();
          if (at < 0) {
            throw new CommandFailure("line 3 is broken");
          }
          return new RecordingEntry(1, "/v1/traces", "r", at, "{}");
        };
    ReplayPace pace = new ReplayPace(2, Duration.ofSeconds(60));
    return TimeUnit.NANOSECONDS.toMillis(ReplaySchedule.lengthNanos(source, pace, () -> false));
  }
}
