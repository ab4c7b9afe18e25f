package gilmok.http;

import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.observe.RouteMeter;
import gilmok.observe.SlowRequests;
import gilmok.observe.SlowRoute;
import gilmok.trace.Tracer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Shows the HTTP edge in the metrics. Counting is thread-safe. */
final class RequestMeters implements RequestMeter {
  private final Meters meters;
  private final Tracer tracer;
  private volatile IdentityHashMap<Route, Served> byRoute = new IdentityHashMap<>();
  private final Map<Refusal, Counter> byRefusal = new EnumMap<>(Refusal.class);
  private final Map<ContentCoding, Packed> byCoding = new EnumMap<>(ContentCoding.class);
  private final CallerMeters callers;
  private final RepeatedReads repeatedReads = new RepeatedReads();
  private final SlowRequests slowRequests = new SlowRequests(System::nanoTime);
  private final AccessLog accessLog = new AccessLog();
  private final LoopStalls loopStalls = new LoopStalls(System::nanoTime);
  private final Counter received;
  private final Counter sent;
  private final Map<String, AtomicInteger> loops = new ConcurrentHashMap<>();

  /** The meters of one route. */
  private record Served(RouteMeter answers, SlowRoute slow, @Nullable Counter repeats) {
    static Served of(Meters meters, SlowRequests slowRequests, Route route) {
      return new Served(
          meters.route(route.method(), route.path()),
          slowRequests.of(route.method() + " " + route.path()),
          !route.method().equals("GET")
              ? null
              : meters.counter(
                  "gilmok_http_repeated_requests_total",
                  "Reads answered 200 that the same key had been answered within a second before.",
                  "route",
                  route.path()));
    }
  }

  /** The meters of one event loop. */
  private record Loop(
      Histogram lag, Histogram taskWait, SlowRequests slowRequests, LoopStalls.Beat beat)
      implements LoopMeter {
    @Override
    public void lag(long nanos) {
      beat.beat();
      lag.record(nanos);
      slowRequests.tick();
    }

    @Override
    public void rests() {
      beat.rest();
    }

    @Override
    public void taskWaited(long nanos) {
      taskWait.record(nanos);
    }
  }

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
  RequestMeters(Meters meters, Tracer tracer) {
    this.meters = meters;
    this.tracer = tracer;
    for (Refusal refusal : Refusal.values()) {
      byRefusal.put(refusal, meters.refusals(refusal.label()));
    }
    for (ContentCoding coding : EnumSet.of(ContentCoding.GZIP, ContentCoding.ZSTD)) {
      byCoding.put(coding, Packed.of(meters, coding));
    }
    callers = new CallerMeters(meters);
    received =
        meters.counter(
            "gilmok_http_received_bytes_total", "Bytes of requests' bodies, as they came.");
    sent = meters.counter("gilmok_http_sent_bytes_total", "Bytes of answers' bodies, as sent.");
  }

  /** Adds meters for these routes. Call before they are served, with the same objects. */
  void add(List<Route> routes) {
    IdentityHashMap<Route, Served> all = new IdentityHashMap<>(byRoute);
    for (Route route : routes) {
      all.computeIfAbsent(route, one -> Served.of(meters, slowRequests, one));
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

  /** The slowest requests. */
  SlowRequests slowRequests() {
    return slowRequests;
  }

  @Override
  public Tracer tracer() {
    return tracer;
  }

  @Override
  public AccessLog accessLog() {
    return accessLog;
  }

  @Override
  public LoopMeter loop(String name, IntSupplier pendingTasks, DoubleSupplier refusedShare) {
    int number = loops.computeIfAbsent(name, _ -> new AtomicInteger()).getAndIncrement();
    String label = name + "-" + number;
    meters.gauge(
        "gilmok_event_loop_pending_tasks",
        "Tasks that wait for an event loop.",
        pendingTasks::getAsInt,
        "loop",
        label);
    meters.gauge(
        "gilmok_event_loop_refused_share",
        "The part of positions that is refused, as requests wait too long for their event loop.",
        refusedShare,
        "loop",
        label);
    return new Loop(
        meters.seconds(
            "gilmok_event_loop_lag_seconds",
            "How late an event loop runs a due task.",
            "loop",
            label),
        meters.seconds(
            "gilmok_event_loop_task_wait_seconds",
            "From another thread's handing over of a task to its run on the event loop.",
            "loop",
            label),
        slowRequests,
        loopStalls.of(
            label,
            meters.counter(
                "gilmok_event_loop_stalls_total",
                "How often an event loop was held up for a second or longer.",
                "loop",
                label)));
  }

  /** Notices event loops that are held up; see {@link LoopStalls#look}. */
  boolean lookAtLoops() {
    return loopStalls.look();
  }

  @Override
  public CallerMeter caller(@Nullable Principal principal, @Nullable String userAgent) {
    return callers.of(principal, userAgent);
  }

  @Override
  public void received(int bytes) {
    received.add(bytes);
  }

  @Override
  public void sent(int bytes) {
    sent.add(bytes);
  }

  @Override
  public void read(Route route, CallerMeter caller, String uri) {
    Served served = byRoute.get(route);
    if (served != null
        && served.repeats != null
        && repeatedReads.isRepeat(caller.key(), uri, System.nanoTime())) {
      served.repeats.increment();
    }
  }

  @Override
  public void answered(
      Route route, int status, CallerMeter caller, long nanos, long bytes, RequestTimes times) {
    Served served = byRoute.get(route);
    if (served != null) {
      served.answers.record(status, nanos);
      SlowRoute slow = served.slow;
      if (slow.keeps(nanos)) {
        slow.keep(status, caller.key(), nanos, bytes, times.parts(), times.unexplained(nanos));
      }
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
  public void certificate(DoubleSupplier end) {
    meters.gauge(
        "gilmok_http_certificate_expiry_timestamp_seconds",
        "When the certificate in force ends, or the first one of its chain.",
        end);
  }
}
