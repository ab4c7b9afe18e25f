package gilmok.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import gilmok.event.JsonBuffer;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.observe.RouteMeter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From meters to the lines of charts, by a clock of its own. */
@Tag("unit")
final class MetricsSamplerTest {
  private static final long START = 1_800_000_000_000L - 1_800_000_000_000L % 60_000;

  private final Meters meters = new Meters();
  private final AtomicLong millis = new AtomicLong(START);
  private final AtomicLong idleMillis = new AtomicLong();
  private final MetricsSampler sampler =
      new MetricsSampler(
          meters,
          () -> Instant.ofEpochMilli(millis.get()),
          () -> (millis.get() - START) * 1_000_000,
          () -> (millis.get() - START - idleMillis.get()) * 1_000_000,
          START - 60_000);

  @AfterEach
  void close() {
    meters.close();
  }

  @Test
  void passes_sampleEveryFiveSeconds_howeverOftenTheyAreAsked() {
    assertThat(sampler.pass()).isEqualTo(MetricsSampler.EVERY_NANOS);
    millis.addAndGet(1_000);
    assertThat(sampler.pass()).isEqualTo(4_000_000_000L);
    millis.addAndGet(4_000);
    sampler.pass();
    assertThat(json().path("times").valueStream().mapToLong(JsonNode::asLong))
        .containsExactly(START, START + 5_000);
  }

  @Test
  void processThatDoesNothing_isSampledEveryFifteenSeconds_unlessSomebodyLooks() {
    sample();
    sample();
    for (int i = 0; i < 6; i++) {
      idleMillis.addAndGet(5_000);
      sample();
    }
    assertThat(times()).containsExactly(0L, 5_000L, 20_000L, 35_000L);
    for (int i = 0; i < 3; i++) { // times() has looked
      idleMillis.addAndGet(5_000);
      sample();
    }
    assertThat(times()).endsWith(40_000L, 45_000L, 50_000L);
  }

  /** When it has sampled, since the start. */
  private List<Long> times() {
    return json().path("times").valueStream().map(one -> one.asLong() - START).toList();
  }

  @Test
  void counters_areRates_aLabelThatComesLaterBeganAtNothing() {
    Counter busy = meters.refusals("busy");
    busy.add(100);
    sample();
    busy.add(10);
    meters.refusals("key-unknown").add(5);
    sample();
    sample();
    JsonNode lines = json().path("lines");
    assertThat(lines.path("refusals:busy").toString()).isEqualTo("[null,2,0]");
    assertThat(lines.path("refusals:key-unknown").toString()).isEqualTo("[null,1,0]");
  }

  @Test
  void callers_haveALineForEachKeyAndProgram_untilThereAreTooMany() {
    Counter app = caller("k1", "Dart");
    caller("k1", "okhttp");
    sample();
    app.add(20);
    sample();
    assertThat(newest("caller.requests:k1 · Dart")).isEqualTo(4);
    assertThat(newest("caller.requests:k1 · okhttp")).isZero();
    for (int i = 2; i < 20; i++) {
      caller("k" + i, "okhttp");
    }
    caller("other", "other");
    sample();
    assertThat(json().path("lines").propertyNames())
        .filteredOn(line -> line.startsWith("caller.requests:"))
        .hasSize(17)
        .contains("caller.requests:k1 · Dart", "caller.requests:other");
    assertThat(newest("caller.requests:other")).isEqualTo(1);
  }

  private Counter caller(String key, String agent) {
    Counter counter =
        meters.counter(
            "gilmok_http_caller_requests_total", "Requests.", "key", key, "agent", agent);
    counter.add(1);
    return counter;
  }

  @Test
  void requests_areThoseOfClients_byWhatBecameOfThem() {
    RouteMeter traces = meters.route("POST", "/v1/traces");
    RouteMeter stream = meters.route("GET", "/v1/stream/positions");
    RouteMeter health = meters.route("GET", "/health/live");
    sample();
    record(traces, 202, 40, 2);
    record(traces, 202, 10, 300);
    record(traces, 500, 5, 2_000);
    record(traces, 503, 5, 1);
    record(traces, 400, 15, 1);
    record(stream, 200, 100, 9_000);
    record(health, 200, 100, 9_000);
    sample();
    assertThat(newest("http.requests")).isEqualTo(15);
    assertThat(newest("http.faults")).isEqualTo(1);
    assertThat(newest("http.unavailable")).isEqualTo(1);
    assertThat(newest("http.refused")).isEqualTo(3);
    assertThat(newest("http.slow")).isCloseTo(0.2, within(1e-9));
    assertThat(newest("http.stuck")).isCloseTo(0.0667, within(1e-4));
    assertThat(newest("http.p50")).isBetween(0.001, 0.0025);
    sample();
    JsonNode lines = json().path("lines");
    assertThat(lines.at("/http.p99/2").isNull()).as("nothing was asked").isTrue();
    assertThat(lines.at("/http.faults/2").asDouble()).as("and nothing failed").isZero();
  }

  @Test
  void routes_areCountedByMinute() {
    RouteMeter traces = meters.route("POST", "/v1/traces");
    record(traces, 202, 1_000, 1);
    sample();
    record(traces, 202, 3, 200);
    record(traces, 500, 1, 200);
    sample();
    millis.addAndGet(60_000);
    record(traces, 202, 2, 20_000);
    sample();
    JsonNode routes = json().path("routes");
    assertThat(routes.path("bounds").size()).isEqualTo(16);
    long minute = START / 60_000;
    assertThat(routes.path("items").toString())
        .isEqualTo(
            ("[{\"method\":\"POST\",\"route\":\"/v1/traces\",\"minutes\":"
                    + "[[%d,1,0,0,0,0,0,0,0,0,0,0,4],[%d,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2]]}]")
                .formatted(minute, minute + 1));
    assertThat(json(millis.get() - 1_000).path("routes").toString()).contains("[" + (minute + 1));
    assertThat(json(millis.get() - 1_000).path("routes").toString())
        .doesNotContain("[" + minute + ",");
  }

  @Test
  void histograms_areQuantilesOfTheTimeBetween_eachLoopApart() {
    Histogram fsync = meters.seconds("gilmok_log_fsync_seconds", "one fsync");
    fsync.record(9_000_000_000L);
    sample();
    fsync.record(600_000);
    sample();
    assertThat(newest("log.fsync.p99")).isBetween(0.0005, 0.001);
    assertThat(newest("log.fsyncs")).isEqualTo(0.2);
  }

  @Test
  void labels_beyondTheSixteenth_shareOneLine() {
    sample();
    for (int i = 0; i < 30; i++) {
      meters.refusals("cause-" + i).add(5);
    }
    sample();
    JsonNode lines = json().path("lines");
    assertThat(lines.propertyStream().filter(line -> line.getKey().startsWith("refusals:")).count())
        .isEqualTo(17);
    assertThat(newest("refusals:other")).isEqualTo(14);
  }

  @Test
  void marks_areTheStart_theStateOfLife_andReloads() {
    AtomicInteger state = new AtomicInteger(1);
    meters.gauge("gilmok_life_state", "state", state::get, "state", "warming");
    meters.gauge("gilmok_life_state", "state", () -> 1 - state.get(), "state", "serving");
    Counter refused = meters.counter("gilmok_reloads_total", "reloads", "result", "refused");
    sample();
    state.set(0);
    refused.increment();
    sample();
    sample();
    assertThat(json().path("marks").valueStream().map(mark -> mark.path("what").asString()))
        .containsExactly("start", "warming", "serving", "reload-refused");
    assertThat(json().at("/marks/0/at").asLong()).isEqualTo(START - 60_000);
  }

  @Test
  void bounds_areAllGaugesThatHaveOne_andNoHistogramsHighest() {
    meters.gauge("gilmok_pool", "a pool", () -> 3, () -> 4, "pool", "a");
    meters.seconds("gilmok_call_seconds", "calls").record(1);
    meters.amounts("gilmok_group_records", "groups").record(7);
    sample();
    sample();
    assertThat(json().path("bounds").toString())
        .isEqualTo(
            "[{\"metric\":\"gilmok_pool\",\"labels\":{\"pool\":\"a\"},\"value\":3,\"max\":4}]");
  }

  /** A metric that this server does not have is not in the answer, and no error. */
  @Test
  void metricsThatAreNotThere_areLeftOut() {
    sample();
    sample();
    JsonNode lines = json().path("lines");
    assertThat(lines.has("virtual.queued")).isFalse();
    assertThat(lines.has("processor.used")).isTrue();
    assertThat(json().path("values").has("gilmok_sink_state")).isFalse();
  }

  private void sample() {
    sampler.pass();
    millis.addAndGet(5_000);
  }

  private static void record(RouteMeter route, int status, int times, int tookMillis) {
    for (int i = 0; i < times; i++) {
      route.record(status, tookMillis * 1_000_000L);
    }
  }

  private double newest(String line) {
    JsonNode values = json().path("lines").path(line);
    return values.get(values.size() - 1).asDouble();
  }

  private JsonNode json() {
    return json(0);
  }

  private JsonNode json(long since) {
    JsonBuffer out = new JsonBuffer();
    sampler.write(since, out.put('{'));
    return JsonMapper.shared().readTree(out.put('}').copy());
  }
}
