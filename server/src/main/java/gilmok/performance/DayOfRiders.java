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
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Measures one day of one rider or of many: their deliveries, then all positions of the day in one
 * pass over the log. Thread-safe; blocks for seconds where the log is long.
 *
 * @param planner null where nothing plans tours
 */
record DayOfRiders(
    PerformanceConfig config, RiderHistory history, Log log, @Nullable TourPlanner planner) {
  private static final int LOOK_EVERY = 4_096;

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
    if (alone != null) {
      days.put(alone, new RiderDay(config, from, until));
    }
    for (RiddenDelivery one : history.deliveries(whose, from, until, config.deliveriesMax())) {
      days.computeIfAbsent(one.riderId(), _ -> new RiderDay(config, from, until)).add(one);
    }
    days.values().forEach(RiderDay::begin);
    if (!days.isEmpty()) {
      positions(days, from, until);
    }
    Map<String, Indicators> measured = new TreeMap<>();
    for (Map.Entry<String, RiderDay> one : days.entrySet()) {
      measured.put(one.getKey(), one.getValue().end(planner));
    }
    return measured;
  }

  /**
   * The measures of one rider's day as far as deliveries alone show them: no waits, no distance. It
   * costs one query and the tours' plans.
   */
  Indicators withoutPositions(String riderId, long from, long until)
      throws IOException, InterruptedException {
    RiderDay day = new RiderDay(config, from, until);
    RiderHistory.Whose whose = new RiderHistory.Whose(riderId, null, null);
    history.deliveries(whose, from, until, config.deliveriesMax()).forEach(day::add);
    day.begin();
    return day.end(planner);
  }

  /** How many records of the log a day has to read. */
  long records(long from, long until) throws IOException {
    return log.sequenceAt(until + config.late().toMillis()) - log.sequenceAt(from);
  }

  private void positions(Map<String, RiderDay> days, long from, long until)
      throws IOException, InterruptedException {
    EventView view = new EventView();
    int[] read = {0};
    long first = log.sequenceAt(from);
    new LogScan(log, "a measuring of performance", log.durable())
        .read(
            first,
            reader -> {
              if (++read[0] % LOOK_EVERY == 0 && Thread.interrupted()) {
                throw new InterruptedException();
              }
              take(reader, view, days);
              return reader.receivedAtMillis() < until + config.late().toMillis();
            });
  }

  private static void take(LogReader reader, EventView view, Map<String, RiderDay> days) {
    if (reader.stream() != Stream.TRACES) {
      return;
    }
    view.wrap(reader.bytes(), reader.offset(), reader.length());
    RiderDay day = days.get(view.riderId());
    if (day != null && !view.isAheadOf(reader.receivedAtMillis())) {
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
