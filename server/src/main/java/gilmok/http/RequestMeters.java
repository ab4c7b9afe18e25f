package gilmok.http;

import gilmok.compress.ContentCoding;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.observe.RouteMeter;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Shows the HTTP edge in the metrics. Counting is thread-safe. */
final class RequestMeters implements RequestMeter {
  private final Meters meters;
  private volatile IdentityHashMap<Route, RouteMeter> byRoute = new IdentityHashMap<>();
  private final Map<Refusal, Counter> byRefusal = new EnumMap<>(Refusal.class);
  private final Map<ContentCoding, Packed> byCoding = new EnumMap<>(ContentCoding.class);
  private final Histogram lag;

  /** The meters of one content coding. */
  private record Packed(Counter bodies, Counter before, Counter after, Histogram seconds) {
    static Packed of(Meters meters, ContentCoding coding) {
      String label = coding.label();
      return new Packed(
          meters.counter(
              "gilmok_http_compressed_total",
              "Answers that compression made shorter.",
              "coding",
              label),
          meters.counter(
              "gilmok_http_compressed_before_bytes_total",
              "Bytes of compressed answers before compression.",
              "coding",
              label),
          meters.counter(
              "gilmok_http_compressed_after_bytes_total",
              "Bytes of compressed answers after compression.",
              "coding",
              label),
          meters.seconds(
              "gilmok_http_compress_seconds",
              "Time to compress one answer, also when that saved nothing.",
              "coding",
              label));
    }
  }

  /** Meters without any route yet. */
  RequestMeters(Meters meters) {
    this.meters = meters;
    for (Refusal refusal : Refusal.values()) {
      byRefusal.put(refusal, meters.refusals(refusal.label()));
    }
    for (ContentCoding coding : EnumSet.of(ContentCoding.GZIP, ContentCoding.ZSTD)) {
      byCoding.put(coding, Packed.of(meters, coding));
    }
    lag = meters.eventLoopLag();
  }

  /** Adds meters for these routes. Call before they are served, with the same objects. */
  void add(List<Route> routes) {
    IdentityHashMap<Route, RouteMeter> all = new IdentityHashMap<>(byRoute);
    for (Route route : routes) {
      all.computeIfAbsent(route, one -> meters.route(one.method(), one.path()));
    }
    byRoute = all;
  }

  /** Shows a listener's gauges. */
  static void watch(Meters meters, HttpListener listener) {
    meters.gauge("gilmok_http_connections", "Open connections.", listener::connections);
    meters.gauge("gilmok_http_requests_open", "Requests in flight.", listener::requestsUnderWay);
    meters.gauge(
        "gilmok_http_bodies_bytes",
        "Memory that bodies of open requests hold.",
        listener::bodyBytes);
  }

  @Override
  public void answered(Route route, int status, long nanos) {
    RouteMeter meter = byRoute.get(route);
    if (meter != null) {
      meter.record(status, nanos);
    }
  }

  @Override
  public void refused(Refusal refusal) {
    Counter counter = byRefusal.get(refusal);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void packed(ContentCoding coding, int bytesBefore, int bytesAfter, long nanos) {
    Packed packed = byCoding.get(coding);
    if (packed == null) {
      return;
    }
    packed.seconds.record(nanos);
    if (bytesAfter < bytesBefore) {
      packed.bodies.increment();
      packed.before.add(bytesBefore);
      packed.after.add(bytesAfter);
    }
  }

  @Override
  public void lag(long nanos) {
    lag.record(nanos);
  }
}
