package gilmok.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class MetricsTest {
  private final Metrics metrics =
      new Metrics(
          List.of(
              "# TYPE gilmok_cache_loads_total counter",
              "gilmok_cache_loads_total{cache=\"missions\"} 3.0",
              "gilmok_cache_loads_total{cache=\"missions\",node=\"b\"} 4.0",
              "gilmok_cache_loads_total{cache=\"other\"} 100.0",
              "gilmok_cache_loads_total_seconds{cache=\"missions\"} 9.0",
              "up 1"));

  @Test
  void sum_isOverTheLabelsThatAreAskedFor() {
    assertThat(metrics.sum("gilmok_cache_loads_total", "cache=\"missions\"")).isEqualTo(7);
    assertThat(metrics.sum("gilmok_cache_loads_total", "")).isEqualTo(107);
    assertThat(metrics.sum("up", "")).isEqualTo(1);
  }

  @Test
  void sum_ofWhatIsNotThere_isNoNumber() {
    assertThat(metrics.sum("gilmok_cache_hits_total", "")).isNaN();
  }
}
