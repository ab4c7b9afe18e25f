package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class HistogramFamilyTest {
  final AtomicLong now = new AtomicLong();
  final HistogramFamily family =
      new HistogramFamily("x_seconds", "Help.", Histogram.NANOS, 1e-9, now::get);
  final Histogram histogram = family.member();

  @Test
  void max_ofTheLastMinuteOrTwo_thenForgotten() {
    histogram.record(5_000_000_000L);
    assertThat(max()).isEqualTo(5);
    assertThat(max()).isEqualTo(5);
    passAMinute();
    assertThat(max()).isEqualTo(5);
    histogram.record(2_000_000_000L);
    assertThat(max()).isEqualTo(5);
    passAMinute();
    assertThat(max()).isEqualTo(5);
    assertThat(max()).isEqualTo(2);
    passAMinute();
    assertThat(max()).isEqualTo(2);
    assertThat(max()).isZero();
  }

  private void passAMinute() {
    now.addAndGet(Duration.ofMinutes(1).toNanos());
  }

  private double max() {
    GaugeSnapshot gauge = (GaugeSnapshot) family.collect().get(1);
    return gauge.getDataPoints().getFirst().getValue();
  }
}
