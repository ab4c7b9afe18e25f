package gilmok.ops;

import gilmok.background.BackgroundLoop;
import gilmok.event.JsonBuffer;
import gilmok.observe.Meters;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Reads the metrics every five seconds and keeps what the page shows of the last hour. While the
 * process does next to nothing and nobody looks, it reads them every {@link #QUIET_NANOS}: reading
 * them is then most of what an idle server would do.
 *
 * <p>{@link #pass} belongs to its loop's thread; {@link #write} is for any thread.
 */
final class MetricsSampler implements BackgroundLoop.Work {
  static final long EVERY_NANOS = 5_000_000_000L;

  /** Less than the gap after which the page breaks a line. */
  static final long QUIET_NANOS = 15_000_000_000L;

  /** A process is quiet that uses less than this share of a processor. */
  private static final double QUIET_SHARE = 0.01;

  private static final long LOOKED_NANOS = 60_000_000_000L;

  private static final String MAX = "_max";
  private static final String SECONDS_MAX = "_seconds_max";

  private final Meters meters;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final LongSupplier processorNanos;
  private final long startedMillis;
  private final List<ChartSource> sources = OpsCatalog.sources();
  private final MetricsHistory history = new MetricsHistory();
  private final RouteMinutes routes = new RouteMinutes();
  private final Marks marks;
  private volatile PresentState present = new PresentState();

  /** The metrics of the catalog, as the registry names them. */
  private final Set<String> wanted = new HashSet<>();

  /** Gauges that have another one as their bound: seen at the pass before. */
  private final Set<String> bounded = new HashSet<>();

  private boolean isFirst = true;
  private long sampledNanos;
  private long passedNanos;
  private long usedNanos;

  /** When somebody has looked last. */
  private volatile long lookedNanos;

  /**
   * A sampler that has sampled nothing yet.
   *
   * @param processorNanos the processor time that this process has used
   */
  MetricsSampler(
      Meters meters,
      InstantSource clock,
      LongSupplier nanoTime,
      LongSupplier processorNanos,
      long startedMillis) {
    this.meters = meters;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.processorNanos = processorNanos;
    lookedNanos = nanoTime.getAsLong() - LOOKED_NANOS;
    this.startedMillis = startedMillis;
    marks = new Marks(startedMillis);
    sources.forEach(source -> wanted.add(DataPoints.registered(source.metric())));
    OpsCatalog.SHOWN.forEach(name -> wanted.add(DataPoints.registered(name)));
    wanted.add(Marks.LIFE);
    wanted.add(DataPoints.registered(Marks.RELOADS));
  }

  @Override
  public long pass() {
    long now = nanoTime.getAsLong();
    long due = passedNanos + EVERY_NANOS - now;
    if (!isFirst && due > 0) {
      return due;
    }
    if (isFirst || !isQuiet(now) || now - sampledNanos >= QUIET_NANOS) {
      sample(isFirst ? 0 : (now - sampledNanos) / 1e9);
      sampledNanos = now;
    }
    isFirst = false;
    usedNanos = processorNanos.getAsLong(); // without this sample
    passedNanos = now;
    return EVERY_NANOS;
  }

  private boolean isQuiet(long now) {
    long used = processorNanos.getAsLong() - usedNanos;
    return now - lookedNanos >= LOOKED_NANOS && used < QUIET_SHARE * (now - passedNanos);
  }

  private void sample(double seconds) {
    DataPoints points = new DataPoints(meters.read(this::isWanted));
    long millis = clock.millis();
    history.begin();
    for (ChartSource source : sources) {
      source.take(points, seconds, history);
    }
    routes.take(points, millis, isFirst);
    marks.take(points, millis);
    present = new PresentState(points, OpsCatalog.SHOWN, bounded);
    learn(points);
    history.end(millis);
  }

  /** A gauge's bound ends in _max; so does the highest value of a histogram of times. */
  private boolean isWanted(String name) {
    return wanted.contains(name)
        || bounded.contains(name)
        || (name.endsWith(MAX) && !name.endsWith(SECONDS_MAX));
  }

  private void learn(DataPoints points) {
    for (String name : points.names()) {
      if (name.endsWith(MAX) && !name.endsWith(SECONDS_MAX)) {
        bounded.add(name.substring(0, name.length() - MAX.length()));
      }
    }
  }

  /** Writes the members about what is newer than that time, and the newest state. */
  void write(long sinceMillis, JsonBuffer out) {
    lookedNanos = nanoTime.getAsLong();
    out.ascii("\"started\":").number(startedMillis);
    out.ascii(",\"everyMillis\":").number(EVERY_NANOS / 1_000_000).put(',');
    history.write(sinceMillis, out);
    routes.write(sinceMillis, clock.millis(), out.put(','));
    marks.write(sinceMillis, out.put(','));
    present.write(out.put(','));
  }
}
