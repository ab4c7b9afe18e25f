package gilmok.lab.fleet;

import gilmok.lab.day.Act;
import gilmok.lab.day.Clerk;
import gilmok.lab.day.Day;
import gilmok.lab.day.OrderDesk;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of a demo: it turns the riders' errands into requests to the server. It counts the
 * orders, and now and then offers a customer's page. Thread-safe, except for {@link #watcher}.
 */
final class DemoDay implements AutoCloseable {
  private static final long SHOWN_NANOS = 60_000_000_000L;

  private final OrderDesk desk;
  private final Clerk clerk;
  private final Dispatch dispatch;
  private final Consumer<String> shows;
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger pickedUp = new AtomicInteger();
  private final AtomicInteger completed = new AtomicInteger();
  private Day.@Nullable Order shown;
  private long shownNanos;

  /**
   * The deliveries of a fleet.
   *
   * @param key the key of the fleet's own backend
   * @param shows receives the URL of a customer's page: of the first order that is picked up and,
   *     when that is finished, of another one, at most once a minute
   */
  DemoDay(String url, String key, Fleet.Plan plan, Consumer<String> shows) {
    this.shows = shows;
    String run = "demo-" + Long.toString(plan.startMillis(), Character.MAX_RADIX);
    desk = new OrderDesk(url, key, run);
    clerk = new Clerk(desk, true, minute -> Dispatch.millis(plan, minute), this::done);
    dispatch = new Dispatch(plan, clerk::start);
  }

  /** Receives the fleet's phones after their fixes; for one thread. */
  Consumer<Phone> watcher() {
    return dispatch;
  }

  private void done(Act act) {
    switch (act.kind()) {
      case CREATE -> created.incrementAndGet();
      case PICK_UP -> {
        pickedUp.incrementAndGet();
        if (isToBeShown(act.order())) {
          show(act.order());
        }
      }
      case COMPLETE -> {
        completed.incrementAndGet();
        desk.forget(act.order());
        isOver(act.order());
      }
      case ACCEPT, ASSIGN, CANCEL -> {}
    }
  }

  private synchronized boolean isToBeShown(Day.Order order) {
    long now = System.nanoTime();
    if (shown != null || (shownNanos != 0 && now - shownNanos < SHOWN_NANOS)) {
      return false;
    }
    shown = order;
    shownNanos = now;
    return true;
  }

  private synchronized void isOver(Day.Order order) {
    if (order.equals(shown)) {
      shown = null;
    }
  }

  private void show(Day.Order order) {
    try {
      shows.accept(desk.track(order));
    } catch (IOException refused) {
      shows.accept("nothing: " + refused.getMessage());
      isOver(order);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  /** The counts of the orders, in one line. */
  String line() {
    int done = completed.get();
    int taken = pickedUp.get();
    int all = created.get();
    String trouble = clerk.trouble();
    return String.format(
        Locale.ROOT,
        "%,d orders: %,d waiting, %,d on the way, %,d delivered%s",
        all,
        all - taken,
        taken - done,
        done,
        trouble == null ? "" : " (" + trouble + ")");
  }

  @Override
  public void close() {
    clerk.close();
    desk.close();
  }
}
