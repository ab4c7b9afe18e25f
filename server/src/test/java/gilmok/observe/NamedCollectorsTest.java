package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A read of a few metrics asks only for these, once the registry has seen all. */
@Tag("unit")
final class NamedCollectorsTest {
  private final Meters meters = new Meters();
  private final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    meters.close();
  }

  private void show() {
    meters.gauge("a_gauge", "Of the test.", asked::incrementAndGet, "label", "one");
    meters.counter("a_counter_total", "Of the test.", asked::incrementAndGet);
    meters.counters(
        "some_counters_total",
        "Of the test.",
        "label",
        () -> Map.of("one", (double) asked.incrementAndGet()));
    meters.totals("a_summary", "Of the test.", () -> new Meters.Totals(asked.incrementAndGet(), 1));
  }

  @Test
  void read_ofOthers_doesNotAsk_andOfItselfDoes() {
    show();
    String all = new String(meters.scrape(), StandardCharsets.UTF_8);
    assertThat(all).contains("a_gauge{", "a_counter_total ", "some_counters_total{", "a_summary_");
    int before = asked.get();
    assertThat(before).isPositive();
    assertThat(meters.read("jvm_threads_live_threads"::equals)).hasSize(1);
    assertThat(asked).hasValue(before);
    assertThat(meters.read("a_gauge"::equals)).hasSize(1);
    assertThat(meters.read("a_counter"::equals)).hasSize(1);
    assertThat(meters.read("some_counters"::equals)).hasSize(1);
    assertThat(meters.read("a_summary"::equals)).hasSize(1);
    assertThat(asked).hasValue(before + 4);
  }

  @Test
  void gaugeThatComesLater_isReadWithTheOthersOfItsName() {
    show();
    assertThat(meters.scrape()).isNotEmpty();
    meters.gauge("a_gauge", "Of the test.", () -> 7, "label", "two");
    assertThat(meters.read("a_gauge"::equals).iterator().next().getDataPoints()).hasSize(2);
    meters.gauge("another_gauge", "Of the test.", () -> 7);
    assertThat(meters.read("another_gauge"::equals)).hasSize(1);
  }
}
