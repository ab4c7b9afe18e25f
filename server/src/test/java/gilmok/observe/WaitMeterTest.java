package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class WaitMeterTest {
  @Test
  void waits_areMeasured_andSumUpByThread() {
    try (Meters meters = new Meters()) {
      WaitMeter store = new WaitMeter(meters, "store");
      WaitMeter partner = new WaitMeter(meters, "partner");
      PartTimes _ = PartTimes.take();
      long began = store.begin();
      assertThat(text(meters)).contains("gilmok_waiting{on=\"store\"} 1.0");
      store.end(began - 3_000_000L);
      partner.end(partner.begin() - 4_000_000L);
      PartTimes parts = PartTimes.take();
      assertThat(parts.waitedNanos()).isGreaterThanOrEqualTo(7_000_000L);
      assertThat(parts.count()).isEqualTo(2);
      assertThat(parts.name(1)).isEqualTo("partner");
      assertThat(parts.nanos(1)).isGreaterThanOrEqualTo(4_000_000L);
      assertThat(PartTimes.take().waitedNanos()).isZero();
      assertThat(text(meters))
          .contains("gilmok_waiting{on=\"store\"} 0.0")
          .contains("gilmok_wait_seconds_count{on=\"store\"} 1\n")
          .contains("gilmok_wait_seconds_count{on=\"partner\"} 1\n");
    }
  }

  private static String text(Meters meters) {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }

  @Test
  void partWithinAnother_countsOnce() {
    try (Meters meters = new Meters()) {
      WaitMeter wait = new WaitMeter(meters, "mongo");
      PartTimes _ = PartTimes.take();
      long whole = System.nanoTime();
      long began = wait.begin();
      long mapped =
          PartTimes.worked(
              PartTimes.MAPPING,
              () -> {
                long end = System.nanoTime() + 20_000_000;
                while (System.nanoTime() - end < 0) {
                  Thread.onSpinWait();
                }
                return end;
              });
      wait.end(began);
      long took = System.nanoTime() - whole;
      assertThat(mapped).isNotZero();
      PartTimes parts = PartTimes.take();
      assertThat(parts.nanos(PartTimes.MAPPING)).isGreaterThanOrEqualTo(20_000_000);
      assertThat(parts.waitedNanos() + parts.workedNanos()).isLessThanOrEqualTo(took);
      assertThat(parts.waitedNanos()).isLessThanOrEqualTo(took - 20_000_000);
    }
  }
}
