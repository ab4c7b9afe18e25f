package gilmok.lab.day;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Replays a day, a number of times faster than real time. {@link #run} is called once, by one
 * thread.
 */
final class DayRun {
  private static final int TRACE_MILLIS = 1000;
  private static final int PROGRESS_MILLIS = 2000;

  private final Day day;
  private final Schedule schedule;
  private final OrderDesk desk;
  private final double speed;
  private final Consumer<String> progress;
  private final Clerk clerk;
  private final double firstMinute;
  private long beganMillis;

  /**
   * A run that has not started.
   *
   * @param speed how many times faster than real time
   * @param byActions whether couriers pick up and complete by actions of their app, not by the
   *     routes
   */
  DayRun(Day day, OrderDesk desk, double speed, boolean byActions, Consumer<String> progress) {
    this.day = day;
    this.desk = desk;
    this.speed = speed;
    this.progress = progress;
    schedule = Schedule.of(day);
    clerk = new Clerk(desk, byActions, this::millis, _ -> {});
    firstMinute = schedule.acts().getFirst().minute();
  }

  /**
   * Runs from the first order to the last delivery.
   *
   * @return the number of orders by final status, as the server reports it
   */
  Map<String, Integer> run() throws IOException, InterruptedException {
    beganMillis = System.currentTimeMillis();
    try (clerk;
        ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      int next = 0;
      long tracedAt = 0;
      long toldAt = beganMillis;
      List<Act> acts = schedule.acts();
      while (next < acts.size()) {
        long now = System.currentTimeMillis();
        double minute = minute(now);
        while (next < acts.size() && acts.get(next).minute() <= minute) {
          clerk.start(acts.get(next++));
        }
        if (now - tracedAt >= TRACE_MILLIS) {
          tracedAt = now;
          Future<?> _ = workers.submit(() -> trace(minute, now));
        }
        if (now - toldAt >= PROGRESS_MILLIS) {
          toldAt = now;
          progress.accept(told(minute, next, acts.size()));
        }
        TimeUnit.MILLISECONDS.sleep(5);
      }
      clerk.await();
    }
    return count();
  }

  private String told(double minute, int done, int all) {
    return String.format(
        Locale.ROOT,
        "%02d:%02d  %,d of %,d steps  %d%%",
        (int) minute / 60,
        (int) minute % 60,
        done,
        all,
        100L * done / all);
  }

  private double minute(long nowMillis) {
    return firstMinute + (nowMillis - beganMillis) * speed / 60_000;
  }

  private long millis(double minute) {
    return beganMillis + Math.round((minute - firstMinute) * 60_000 / speed);
  }

  /** Sends the present positions of all couriers on the way. */
  private Void trace(double minute, long atMillis) throws IOException, InterruptedException {
    StringBuilder array = new StringBuilder("[");
    for (Map.Entry<String, List<Leg>> courier : schedule.ways().entrySet()) {
      for (Leg way : courier.getValue()) {
        if (minute >= way.fromMinute() && minute < way.toMinute()) {
          Spot spot = way.at(minute);
          array.append(array.length() > 1 ? "," : "");
          array.append(
              String.format(
                  Locale.ROOT,
                  "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%.6f,\"lon\":%.6f}",
                  courier.getKey(),
                  atMillis,
                  spot.lat(),
                  spot.lon()));
        }
      }
    }
    if (array.length() > 1) {
      desk.traces(array.append(']').toString());
    }
    return null;
  }

  /** Counts the final statuses. A rider's last action may take a moment until it is applied. */
  private Map<String, Integer> count() throws IOException, InterruptedException {
    Map<String, Integer> counts = new TreeMap<>();
    List<Day.Order> open = new ArrayList<>(day.orders());
    for (int tries = 0; !open.isEmpty() && tries < 100; tries++) {
      List<Day.Order> still = new ArrayList<>();
      for (Day.Order order : open) {
        String status = desk.status(order);
        boolean isOver = status.equals("COMPLETED") || status.equals("CANCELLED");
        if (isOver || tries == 99) {
          counts.merge(status, 1, Integer::sum);
        } else {
          still.add(order);
        }
      }
      open = still;
      TimeUnit.MILLISECONDS.sleep(open.isEmpty() ? 0 : 50);
    }
    return counts;
  }
}
