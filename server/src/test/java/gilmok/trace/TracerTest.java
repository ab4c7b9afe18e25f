package gilmok.trace;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TracerTest {
  private static final TraceContext SAMPLED = TraceContext.begin();
  private static final TraceContext UNSAMPLED =
      new TraceContext(SAMPLED.traceHigh(), SAMPLED.traceLow(), 7, false);

  private final Meters meters = new Meters();
  private final Tracer tracer = new Tracer(meters);

  @AfterEach
  void close() {
    meters.close();
  }

  @Test
  void off_passesOnWhatSomebodyKeeps_andNothingElse() {
    assertThat(tracer.begin(SAMPLED).context()).isSameAs(SAMPLED);
    assertThat(tracer.begin(UNSAMPLED)).isEqualTo(RequestTrace.NONE);
    assertThat(tracer.begin(null)).isEqualTo(RequestTrace.NONE);
    assertThat(tracer.isWorthIt(true, Long.MAX_VALUE)).isFalse();
  }

  @Test
  void drawn_isAChildOfWhatCame_orBegins() {
    take(1);
    RequestTrace begun = tracer.begin(null);
    assertThat(begun.isDrawn()).isTrue();
    assertThat(begun.parentId()).isZero();
    assertThat(begun.span()).isSameAs(begun.context());
    RequestTrace child = tracer.begin(UNSAMPLED);
    TraceContext context = Objects.requireNonNull(child.context());
    assertThat(context.traceId()).isEqualTo(SAMPLED.traceId());
    assertThat(context.isSampled()).isTrue();
    assertThat(child.parentId()).isEqualTo(UNSAMPLED.spanId());
  }

  @Test
  void callersDecide_asLongAsTheyAreNotMany() {
    take(0);
    assertThat(tracer.begin(UNSAMPLED).isDrawn()).isFalse();
    assertThat(tracer.begin(null)).isEqualTo(RequestTrace.NONE);
    int drawn = 0;
    RequestTrace last = RequestTrace.NONE;
    for (int i = 0; i < 100_000; i++) {
      last = tracer.begin(SAMPLED);
      drawn += last.isDrawn() ? 1 : 0;
    }
    assertThat(drawn).isPositive().isLessThan(100_000 / 2);
    if (!last.isDrawn()) {
      assertThat(last.context()).as("it stays in its caller's trace").isSameAs(SAMPLED);
    }
  }

  @Test
  void faultsAndSlowOnes_areWorthIt_asLongAsTheyAreNotMany() {
    take(0);
    assertThat(tracer.isWorthIt(false, Duration.ofMillis(999).toNanos())).isFalse();
    assertThat(tracer.isWorthIt(false, Duration.ofSeconds(1).toNanos())).isTrue();
    int worth = 0;
    for (int i = 0; i < 100_000; i++) {
      worth += tracer.isWorthIt(true, 0) ? 1 : 0;
    }
    assertThat(worth).isPositive().isLessThan(100_000 / 2);
    assertThat(count("gilmok_trace_spans_dropped_total{cause=\"rate\"}")).isPositive();
  }

  @Test
  void queue_isBounded_andWhatItDropsIsCounted() {
    take(1);
    for (int i = 0; i < 5000; i++) {
      tracer.ended(
          new TraceSpan(
              TraceContext.begin(),
              0,
              TraceSpan.Kind.SERVER,
              "GET /",
              Instant.EPOCH,
              1,
              false,
              List.of(),
              List.of()));
    }
    List<TraceSpan> taken = new ArrayList<>();
    tracer.drainTo(taken, 10_000);
    assertThat(count("gilmok_trace_spans_dropped_total{cause=\"queue\"}"))
        .isEqualTo(5000 - taken.size())
        .isPositive();
  }

  private void take(int every) {
    tracer.take(
        new TracingConfig(
            URI.create("http://127.0.0.1:1/v1/traces"), null, every, Duration.ofSeconds(1)));
  }

  private double count(String metric) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(metric))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }
}
