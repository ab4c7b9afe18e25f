package gilmok.observe;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Everything that the process measures of itself, and its text for Prometheus. Names, labels and
 * units are the contract of {@code docs/metrics.md}. Registering the same name and labels twice is
 * a bug and throws.
 *
 * <p>Thread-safe. Registering and {@link #scrape} are slow; using a registered meter is not.
 */
public final class Meters implements AutoCloseable {
  /** The content type of {@link #scrape}. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Micrometer's meters that have a better one of another name, or a name that is none. */
  private static final Set<String> REPLACED =
      Set.of(
          "process.cpu.time",
          "system.cpu.count",
          "system.load.average.1m",
          "jvm.gc.memory.allocated");

  private static final double SECONDS_IN_NANO = 1e-9;
  private static final int SCRAPE_BYTES = 1 << 15;

  private final PrometheusRegistry collectors = new NamedCollectors();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, collectors, Clock.SYSTEM);
  private final Map<String, HistogramFamily> families = new ConcurrentHashMap<>();
  private final Map<String, Counter> refusals = new ConcurrentHashMap<>();
  private final Set<List<String>> names = ConcurrentHashMap.newKeySet();

  /** Strong references to the counters' suppliers, as Micrometer does not keep them alive. */
  private final List<DoubleSupplier> asked = new CopyOnWriteArrayList<>();

  private final JvmGcMetrics pauses = new JvmGcMetrics();
  private final HistogramFamily requests;

  /**
   * How many there were, and what they add up to.
   *
   * @param sum in the unit that is shown
   */
  public record Totals(long count, double sum) {}

  /** Registers the meters of the running JVM, its process and its container. */
  public Meters() {
    registry.config().meterFilter(MeterFilter.deny(id -> REPLACED.contains(id.getName())));
    requests =
        family(
            "gilmok_http_request_seconds",
            "From a request's head to its reply's end, by route and status.",
            Histogram.NANOS,
            SECONDS_IN_NANO);
    pauses.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    show(CpuThrottling.ofThisContainer());
  }

  void show(CpuThrottling throttling) {
    show(throttling, "nr_periods", "gilmok_cpu_periods_total", "Periods of the processor limit.");
    show(
        throttling,
        "nr_throttled",
        "gilmok_cpu_throttled_periods_total",
        "Periods in which the processor limit stopped the process.");
    if (throttling.throttledMicros() >= 0) {
      counter(
          "gilmok_cpu_throttled_seconds_total",
          "How long the processor limit has stopped the process.",
          () -> Math.max(0, throttling.throttledMicros()) * 1e-6);
    }
  }

  private void show(CpuThrottling throttling, String field, String name, String help) {
    if (throttling.read(field) >= 0) {
      counter(name, help, () -> Math.max(0, throttling.read(field)));
    }
  }

  /** All meters in Prometheus' text format, in UTF-8. */
  public byte[] scrape() {
    ByteArrayOutputStream text = new ByteArrayOutputStream(SCRAPE_BYTES);
    try {
      registry.scrape(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toByteArray();
  }

  /**
   * The present values of some metrics. It takes as long as a scrape of these, once all were read.
   *
   * @param names accepts the names that are wanted; a counter's is without its {@code _total}
   */
  public MetricSnapshots read(Predicate<String> names) {
    return collectors.scrape(names);
  }

  /** Registers the requests of a route; call once, when the route is made known. */
  public RouteMeter route(String method, String path) {
    claim(requests.getPrometheusNames().getFirst(), method, path);
    return new RouteMeter(requests, method, path);
  }

  /** The counter of one kind of refusals; the same counter each time. */
  public Counter refusals(String refusal) {
    return refusals.computeIfAbsent(
        refusal,
        label ->
            counter(
                "gilmok_http_refusals_total",
                "Requests refused, by the reason given to the client.",
                "refusal",
                label));
  }

  /** Registers a counter that its owner increments. Labels alternate names and values. */
  public Counter counter(String name, String help, String... labels) {
    Counter counter = new Counter();
    counter(name, help, counter::total, labels);
    return counter;
  }

  /**
   * Registers a counter for each constant of an enum; the last label is the constant's name in
   * lower case.
   */
  public <E extends Enum<E>> Map<E, Counter> counters(
      Class<E> constants, String name, String help, String label, String... others) {
    Map<E, Counter> all = new EnumMap<>(constants);
    String[] labels = Arrays.copyOf(others, others.length + 2);
    labels[others.length] = label;
    for (E one : constants.getEnumConstants()) {
      labels[others.length + 1] = one.name().toLowerCase(Locale.ROOT);
      all.put(one, counter(name, help, labels));
    }
    return all;
  }

  /**
   * Registers a counter whose owner keeps the total. The total is read at each scrape, on the
   * scraping thread.
   */
  public void counter(String name, String help, DoubleSupplier total, String... labels) {
    claim(name, labels);
    asked.add(total);
    FunctionCounter.builder(name, total, DoubleSupplier::getAsDouble)
        .description(help)
        .tags(labels)
        .register(registry);
  }

  /**
   * Registers counters that differ in one label. Their totals, by the label's value, are read at
   * once at each scrape, on the scraping thread.
   */
  public void counters(
      String name, String help, String label, Supplier<Map<String, Double>> totals) {
    claim(name);
    Collector collector =
        () -> {
          CounterSnapshot.Builder all =
              CounterSnapshot.builder().name(name.replaceFirst("_total$", "")).help(help);
          totals
              .get()
              .forEach(
                  (value, total) ->
                      all.dataPoint(
                          CounterDataPointSnapshot.builder()
                              .labels(Labels.of(label, value))
                              .value(total)
                              .build()));
          return all.build();
        };
    collectors.register(collector);
  }

  /** Registers a summary without quantiles, read at each scrape, on the scraping thread. */
  public void totals(String name, String help, Supplier<Totals> totals) {
    claim(name);
    Collector collector =
        () -> {
          Totals now = totals.get();
          return SummarySnapshot.builder()
              .name(name)
              .help(help)
              .dataPoint(SummaryDataPointSnapshot.builder().count(now.count).sum(now.sum).build())
              .build();
        };
    collectors.register(collector);
  }

  /** Registers a metric that is always 1; its labels tell something. Its name ends in info. */
  public void info(String name, String help, String... labels) {
    claim(name, labels);
    Collector collector =
        () ->
            InfoSnapshot.builder()
                .name(name.replaceFirst("_info$", ""))
                .help(help)
                .dataPoint(InfoDataPointSnapshot.builder().labels(Labels.of(labels)).build())
                .build();
    collectors.register(collector);
  }

  /** Registers a gauge. Its value is read at each scrape, on the scraping thread. */
  public void gauge(String name, String help, DoubleSupplier value, String... labels) {
    claim(name, labels);
    Gauge.builder(name, value::getAsDouble).description(help).tags(labels).register(registry);
  }

  /** Registers a gauge, and another one for its limit, whose name ends in {@code _max}. */
  public void gauge(
      String name, String help, DoubleSupplier value, DoubleSupplier max, String... labels) {
    gauge(name, help, value, labels);
    gauge(name + "_max", "The bound of " + name + ".", max, labels);
  }

  /**
   * Registers a histogram of times, recorded in nanoseconds and shown in seconds, in buckets from
   * 0.1 ms to 10 s.
   */
  public Histogram seconds(String name, String help, String... labels) {
    claim(name, labels);
    return family(name, help, Histogram.NANOS, SECONDS_IN_NANO).member(labels);
  }

  /** Registers a histogram of whole numbers, in buckets of powers of two up to 65,536. */
  public Histogram amounts(String name, String help, String... labels) {
    claim(name, labels);
    return family(name, help, Histogram.AMOUNTS, 1).member(labels);
  }

  @Override
  public void close() {
    pauses.close();
    registry.close();
  }

  private HistogramFamily family(String name, String help, long[] bounds, double unit) {
    return families.computeIfAbsent(
        name,
        _ -> {
          HistogramFamily family = new HistogramFamily(name, help, bounds, unit, System::nanoTime);
          collectors.register(family);
          return family;
        });
  }

  private void claim(String name, String... labels) {
    List<String> whole = new ArrayList<>(List.of(name));
    whole.addAll(Arrays.asList(labels));
    if (!names.add(whole)) {
      throw new IllegalStateException("registered twice: " + whole);
    }
  }
}
