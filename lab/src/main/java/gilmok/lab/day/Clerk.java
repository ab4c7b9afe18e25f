package gilmok.lab.day;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.DoubleToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sits at the desk and carries out what happens to orders: an order's acts one after the other,
 * those of different orders beside each other. Of an order that failed, or was left out because too
 * many are open, nothing more is carried out. {@link #start} is one thread's; the acts have virtual
 * threads.
 */
public final class Clerk implements AutoCloseable {
  /** Most orders that are open at a time; more are left out. */
  public static final int OPEN_MAX = 20_000;

  private static final int AT_WORK_MAX = 64;
  private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

  private final OrderDesk desk;
  private final boolean byActions;
  private final DoubleToLongFunction millis;
  private final Consumer<Act> done;
  private final Semaphore places = new Semaphore(AT_WORK_MAX);
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, CompletableFuture<Void>> open = new ConcurrentHashMap<>();
  private volatile @Nullable Throwable failure;

  /**
   * @param byActions whether couriers pick up and complete by their app's actions, not by routes
   * @param millis the time that a minute of the day is, in milliseconds since 1970
   * @param done told of each act that was carried out, on its thread
   */
  public Clerk(OrderDesk desk, boolean byActions, DoubleToLongFunction millis, Consumer<Act> done) {
    this.desk = desk;
    this.byActions = byActions;
    this.millis = millis;
    this.done = done;
  }

  /**
   * Begins an act; it waits for those of its order that were begun before.
   *
   * @return false when it is left out, as its order was
   */
  public boolean start(Act act) {
    String order = act.order().name();
    CompletableFuture<Void> before = open.get(order);
    if (before == null) {
      if (act.kind() != Act.Kind.CREATE || open.size() >= OPEN_MAX) {
        return false;
      }
      before = NOTHING;
    }
    CompletableFuture<Void> step = before.thenRunAsync(() -> carryOut(act), workers);
    open.put(order, step);
    var _ = step.whenComplete((_, failed) -> ended(act, failed));
    return true;
  }

  private void ended(Act act, @Nullable Throwable failed) {
    if (failed != null || act.kind().isEnd()) {
      open.remove(act.order().name());
    }
  }

  /**
   * Waits until nothing is open.
   *
   * @throws IOException when an act has failed
   */
  void await() throws IOException {
    for (CompletableFuture<Void> last : open.values()) {
      // What it failed of is thrown below, with what failed before.
      last.exceptionally(_ -> null).join();
    }
    Throwable failed = failure;
    if (failed != null) {
      throw new IOException(String.valueOf(failed.getMessage()), failed);
    }
  }

  /** Why the first act that failed did; null when none has. */
  public @Nullable String trouble() {
    Throwable failed = failure;
    return failed == null ? null : String.valueOf(failed.getMessage());
  }

  private void carryOut(Act act) {
    try {
      places.acquire();
      try {
        perform(act);
      } finally {
        places.release();
      }
    } catch (IOException | InterruptedException | RuntimeException failed) {
      if (failure == null) {
        failure = failed;
      }
      throw new CompletionException(failed);
    }
    done.accept(act);
  }

  private void perform(Act act) throws IOException, InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    Day.Order order = act.order();
    switch (act.kind()) {
      case CREATE -> desk.create(order, millis.applyAsLong(order.readyMinute()));
      case ACCEPT -> desk.step(order, "accept", body);
      case ASSIGN -> desk.step(order, "assign", body.put("riderId", act.courier()));
      case CANCEL -> desk.step(order, "cancel", body.put("reason", "nobody to bring it"));
      case PICK_UP -> step(act, "pickup", order.restaurant().spot());
      case COMPLETE -> step(act, "complete", order.spot());
    }
  }

  private void step(Act act, String step, Spot spot) throws IOException, InterruptedException {
    String courier = act.courier();
    if (byActions && courier != null) {
      desk.action(act.order(), step, courier, spot, millis.applyAsLong(act.minute()));
    } else {
      desk.step(act.order(), step, JsonMapper.shared().createObjectNode());
    }
  }

  /** Ends at once; what is under way is broken off. */
  @Override
  public void close() {
    workers.shutdownNow();
  }
}
