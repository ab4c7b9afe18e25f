package gilmok.background;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The background loops of one server, so that all of them are watched. Thread-safe. */
public final class BackgroundLoops implements AutoCloseable {
  /** A loop that nobody wakes looks at least this often: at a clock that was set, for instance. */
  public static final Duration SLEEP_MAX = Duration.ofSeconds(30);

  private static final int KERNEL_NAME_MAX = 15;

  /** How long a pass may take that nobody has waited for, until it is interrupted. */
  private static final Duration PASS_MAX = Duration.ofSeconds(1);

  /** How long an interrupted one may take: on a busy machine its thread has a low priority. */
  private static final Duration INTERRUPTED_MAX = Duration.ofSeconds(4);

  private final Consumer<BackgroundLoop> watch;
  private final Duration sleepMax;
  private final List<BackgroundLoop> all = new CopyOnWriteArrayList<>();

  /**
   * No loops yet.
   *
   * @param watch called with each loop as it is made, to show it in metrics and readiness
   */
  public BackgroundLoops(Consumer<BackgroundLoop> watch) {
    this(watch, SLEEP_MAX);
  }

  /** Likewise, with another longest sleep than {@link #SLEEP_MAX}. */
  public BackgroundLoops(Consumer<BackgroundLoop> watch, Duration sleepMax) {
    this.watch = watch;
    this.sleepMax = sleepMax;
  }

  /** Loops that are not watched: those of a command or a test. */
  public static BackgroundLoops unwatched() {
    return new BackgroundLoops(loop -> {});
  }

  /**
   * Makes a loop that is not started. While it fails, this server is taken out of traffic, because
   * no other part can do its work and another server can.
   *
   * @param name in metrics, and of its thread; {@code a-z} and dashes
   * @param what what does not work while it fails, for the operator
   */
  public BackgroundLoop needed(String name, String what, BackgroundLoop.Work work) {
    return add(new BackgroundLoop(name, what, true, sleepMax, work));
  }

  /** Makes a loop that is not started, and that is only named while it fails. */
  public BackgroundLoop optional(String name, String what, BackgroundLoop.Work work) {
    return add(new BackgroundLoop(name, what, false, sleepMax, work));
  }

  /** All loops that were made. */
  public List<BackgroundLoop> all() {
    return List.copyOf(all);
  }

  /**
   * Whether a thread of that name is one of its loops.
   *
   * @param name as the kernel has it: cut after 15 bytes
   */
  public boolean hasThread(String name) {
    return all.stream()
        .map(BackgroundLoop::name)
        .anyMatch(loop -> name.equals(loop.substring(0, Math.min(loop.length(), KERNEL_NAME_MAX))));
  }

  /**
   * Ends the loops that still work, as nobody has stopped them, or not long enough: what they work
   * with is closed next. Does so also for a thread that was interrupted, which then still is.
   */
  @Override
  public void close() {
    all.forEach(BackgroundLoop::leave);
    List<Thread> left =
        all.stream()
            .map(BackgroundLoop::thread)
            .filter(thread -> thread.isAlive() && thread != Thread.currentThread())
            .toList();
    boolean isInterrupted = Thread.interrupted();
    try {
      await(left, PASS_MAX);
      left.forEach(Thread::interrupt);
      await(left, INTERRUPTED_MAX); // what hangs beyond an interrupt is left behind
    } catch (InterruptedException again) {
      isInterrupted = true;
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void await(List<Thread> threads, Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    for (Thread thread : threads) {
      boolean _ = thread.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
    }
  }

  private BackgroundLoop add(BackgroundLoop loop) {
    if (all.stream().anyMatch(other -> other.name().equals(loop.name()))) {
      throw new IllegalArgumentException("two background loops of the name " + loop.name());
    }
    all.add(loop);
    watch.accept(loop);
    return loop;
  }
}
