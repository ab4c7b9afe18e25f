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
 * Carries out acts at the order desk: those of one order one after the other, those of different
 * orders concurrently. After an act has failed, or was left out because too many orders are open,
 * the rest of its order is left out. {@link #start} must be called by one thread; the acts run on
 * virtual threads.
 */
public final class Clerk implements AutoCloseable {
  /** The most orders that are open at a time; further ones are left out. */
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
   * A clerk at a desk.
   *
   * @param byActions whether couriers pick up and complete by actions of their app, not by the
   *     routes
   * @param millis converts a minute of the day to epoch ms
   * @param done called after each act that was carried out, on its thread
   */
  public Clerk(OrderDesk desk, boolean byActions, DoubleToLongFunction millis, Consumer<Act> done) {
    this.desk = desk;
    this.byActions = byActions;
    this.millis = millis;
    this.done = done;
  }

  /**
   * Starts an act; it runs after the earlier acts of its order.
   *
   * @return false if the act is left out, because its order was
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
   * Waits until all acts are done.
   *
   * @throws IOException when an act has failed
   */
  void await() throws IOException {
    for (CompletableFuture<Void> last : open.values()) {
      // Its failure is thrown below, together with earlier ones.
      last.exceptionally(_ -> null).join();
    }
    Throwable failed = failure;
    if (failed != null) {
      throw new IOException(String.valueOf(failed.getMessage()), failed);
    }
  }

  /** The message of the first failure; null if there is none. */
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
      case CREATE -> desk.create(order, millis.applyAsLong(order.readyMinute()), due(order));
      case ACCEPT -> desk.step(order, "accept", body);
      case ASSIGN -> desk.step(order, "assign", body.put("riderId", act.courier()));
      case CANCEL -> desk.step(order, "cancel", body.put("reason", "nobody to bring it"));
      case PICK_UP -> step(act, "pickup", order.restaurant().spot());
      case COMPLETE -> step(act, "complete", order.spot());
    }
  }

  private @Nullable Long due(Day.Order order) {
    Double due = order.dueMinute();
    return due == null ? null : millis.applyAsLong(due);
  }

  private void step(Act act, String step, Spot spot) throws IOException, InterruptedException {
    String courier = act.courier();
    if (byActions && courier != null) {
      desk.action(act.order(), step, courier, spot, millis.applyAsLong(act.minute()));
    } else {
      desk.step(act.order(), step, JsonMapper.shared().createObjectNode());
    }
  }

  /** Closes at once; unfinished acts fail. */
  @Override
  public void close() {
    workers.shutdownNow();
  }
}
