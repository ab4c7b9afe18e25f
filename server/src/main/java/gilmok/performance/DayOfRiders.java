package gilmok.performance;

import gilmok.event.EventView;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.LogScan;
import gilmok.log.Stream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Measures one day of one rider or of many: their deliveries, then all positions of the day in one
 * pass over the log. Thread-safe; blocks for seconds where the log is long.
 *
 * @param planner null where nothing plans tours
 * @param hidden whether a rider's positions are not to be used
 */
record DayOfRiders(
    PerformanceConfig config,
    RiderHistory history,
    Log log,
    @Nullable TourPlanner planner,
    Predicate<String> hidden,
    InstantSource clock) {
  private static final int LOOK_EVERY = 4_096;
  private static final int RIDERS_MAX = 200_000;

  /** A tour that lasts longer over midnight has no begin. */
  private static final long BEFORE_MILLIS = Duration.ofDays(1).toMillis();

  /**
   * The measures of a day, by rider.
   *
   * @param from when the day begins, epoch ms
   * @param until when it ends, exclusive
   */
  Map<String, Indicators> measure(RiderHistory.Whose whose, long from, long until)
      throws IOException, InterruptedException {
    Map<String, RiderDay> days = new TreeMap<>();
    String alone = whose.riderId();
    long now = clock.millis();
    if (alone != null) {
      days.put(alone, new RiderDay(config, from, until, now));
    }
    for (RiddenDelivery one : history.deliveries(whose, from, until, config.deliveriesMax())) {
      days.computeIfAbsent(one.riderId(), _ -> new RiderDay(config, from, until, now)).add(one);
    }
    days.values().forEach(RiderDay::begin);
    if (!days.isEmpty() || whose.isEverybody()) {
      Span span = new Span(from, until, now, whose.isEverybody());
      positions(days, span);
    }
    Map<String, Indicators> measured = new TreeMap<>();
    for (Map.Entry<String, RiderDay> one : days.entrySet()) {
      Indicators its = one.getValue().end(planner);
      if (alone != null || !its.isEmpty()) {
        measured.put(one.getKey(), its);
      }
    }
    return measured;
  }

  /**
   * A day, as its positions are read.
   *
   * @param isEverybody whether riders without deliveries are measured, too
   */
  private record Span(long from, long until, long now, boolean isEverybody) {}

  /**
   * The measures of one rider's day as far as deliveries alone show them: no waits, no distance. It
   * costs one query and the tours' plans.
   */
  Indicators withoutPositions(String riderId, long from, long until)
      throws IOException, InterruptedException {
    RiderDay day = new RiderDay(config, from, until, clock.millis());
    RiderHistory.Whose whose = new RiderHistory.Whose(riderId, null, null);
    history.deliveries(whose, from, until, config.deliveriesMax()).forEach(day::add);
    day.begin();
    return day.end(planner);
  }

  /** How many records of the log a day has to read. */
  long records(long from, long until) throws IOException {
    return log.sequenceAt(until + config.late().toMillis()) - log.sequenceAt(from);
  }

  private void positions(Map<String, RiderDay> days, Span span)
      throws IOException, InterruptedException {
    EventView view = new EventView();
    int[] read = {0};
    long begin = days.values().stream().mapToLong(RiderDay::positionsFrom).min().orElse(span.from);
    long first = log.sequenceAt(Math.max(begin, span.from - BEFORE_MILLIS));
    new LogScan(log, "a measuring of performance", log.durable())
        .read(
            first,
            reader -> {
              if (++read[0] % LOOK_EVERY == 0 && Thread.interrupted()) {
                throw new InterruptedException();
              }
              take(reader, view, days, span);
              return reader.receivedAtMillis() < span.until + config.late().toMillis();
            });
  }

  private void take(LogReader reader, EventView view, Map<String, RiderDay> days, Span span)
      throws IOException {
    if (reader.stream() != Stream.TRACES) {
      return;
    }
    view.wrap(reader.bytes(), reader.offset(), reader.length());
    if (view.isAheadOf(reader.receivedAtMillis())) {
      return;
    }
    String rider = view.riderId();
    RiderDay day = days.get(rider);
    if (day == null && span.isEverybody && view.at() >= span.from && view.at() < span.until) {
      if (days.size() == RIDERS_MAX) {
        throw new IOException("over " + RIDERS_MAX + " riders in a day");
      }
      day = new RiderDay(config, span.from, span.until, span.now);
      days.put(rider, day);
    }
    if (day != null && !hidden.test(rider)) {
      day.position(view.at(), view.lat(), view.lon());
    }
  }

  /** Measures as bytes, which {@link #read} reads. */
  static byte[] bytes(Map<String, Indicators> measured) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(measured.size());
      for (Map.Entry<String, Indicators> one : measured.entrySet()) {
        out.writeUTF(one.getKey());
        one.getValue().write(out);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** Reads what {@link #bytes} made. */
  static Map<String, Indicators> read(byte[] bytes) {
    Map<String, Indicators> measured = new TreeMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      for (int left = in.readInt(); left > 0; left--) {
        String rider = in.readUTF();
        measured.put(rider, Indicators.read(in));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return measured;
  }
}
