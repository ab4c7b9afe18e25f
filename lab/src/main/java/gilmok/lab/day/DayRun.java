package gilmok.lab.day;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Lets a day happen, so many times faster than life. One thread calls {@link #run}, once. */
final class DayRun {
  private static final int TRACE_MILLIS = 1000;
  private static final int PROGRESS_MILLIS = 2000;

  private final Day day;
  private final Schedule schedule;
  private final Desk desk;
  private final double speed;
  private final boolean byActions;
  private final Consumer<String> progress;
  private final Map<String, Future<?>> lastOf = new TreeMap<>();
  private final double firstMinute;
  private long beganMillis;

  /**
   * @param speed times faster than life
   * @param byActions whether couriers pick up and complete by their app's actions, not by routes
   */
  DayRun(Day day, Desk desk, double speed, boolean byActions, Consumer<String> progress) {
    this.day = day;
    this.desk = desk;
    this.speed = speed;
    this.byActions = byActions;
    this.progress = progress;
    schedule = Schedule.of(day);
    firstMinute = schedule.acts().getFirst().minute();
  }

  /**
   * From the first order to the last door.
   *
   * @return how many orders ended in which status, as the server says
   */
  Map<String, Integer> run() throws IOException, InterruptedException {
    beganMillis = System.currentTimeMillis();
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      int next = 0;
      long tracedAt = 0;
      long toldAt = beganMillis;
      List<Act> acts = schedule.acts();
      while (next < acts.size()) {
        long now = System.currentTimeMillis();
        double minute = minute(now);
        while (next < acts.size() && acts.get(next).minute() <= minute) {
          start(workers, acts.get(next++));
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
      for (Future<?> last : lastOf.values()) {
        await(last);
      }
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

  /** An order's steps one after the other; those of different orders beside each other. */
  private void start(ExecutorService workers, Act act) {
    String order = act.order().name();
    Future<?> before = lastOf.get(order);
    lastOf.put(
        order,
        workers.submit(
            () -> {
              if (before != null) {
                await(before);
              }
              perform(act);
              return true;
            }));
  }

  private static void await(Future<?> step) throws IOException, InterruptedException {
    try {
      step.get();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause() == null ? failed : failed.getCause();
      throw new IOException(String.valueOf(cause.getMessage()), cause);
    }
  }

  private void perform(Act act) throws IOException, InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    Day.Order order = act.order();
    String courier = String.valueOf(act.courier());
    Spot restaurant = order.restaurant().spot();
    switch (act.kind()) {
      case CREATE -> desk.create(order, millis(order.readyMinute()));
      case ACCEPT -> desk.step(order, "accept", body);
      case ASSIGN -> desk.step(order, "assign", body.put("riderId", desk.rider(courier)));
      case CANCEL -> desk.step(order, "cancel", body.put("reason", "nobody to bring it"));
      case PICK_UP -> step(act, "pickup", courier, restaurant);
      case COMPLETE -> step(act, "complete", courier, order.spot());
    }
  }

  private void step(Act act, String step, String courier, Spot spot)
      throws IOException, InterruptedException {
    if (byActions) {
      desk.action(act.order(), step, courier, spot, millis(act.minute()));
    } else {
      desk.step(act.order(), step, JsonMapper.shared().createObjectNode());
    }
  }

  /** Where everybody on the way is now. */
  private Void trace(double minute, long atMillis) throws IOException, InterruptedException {
    StringBuilder array = new StringBuilder("[");
    for (Map.Entry<String, List<Way>> courier : schedule.ways().entrySet()) {
      for (Way way : courier.getValue()) {
        if (minute >= way.fromMinute() && minute < way.toMinute()) {
          Spot spot = way.at(minute);
          array.append(array.length() > 1 ? "," : "");
          array.append(
              String.format(
                  Locale.ROOT,
                  "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%.6f,\"lon\":%.6f}",
                  desk.rider(courier.getKey()),
                  atMillis,
                  spot.lat(),
                  spot.lon()));
        }
      }
    }
    if (array.length() > 1) {
      desk.traces(array.append(']').toString().getBytes(StandardCharsets.UTF_8));
    }
    return null;
  }

  /** What became of all; a rider's last action takes a moment until it is applied. */
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
