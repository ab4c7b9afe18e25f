package gilmok.warmup;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server what scripts say, over its real HTTP stack, until it answers no faster and the
 * compiler has nothing left to do.
 *
 * <p>First every branch is asked as often as every other, {@link #ROUNDS_MIN} rounds a connection
 * and then until rounds get no faster: a first request of any kind finds its classes loaded and its
 * code compiled. Then what comes in crowds is asked in crowds, each shot as many {@link Shot#times}
 * as its script says, until that comes no faster: the compiler's best code is what the first second
 * of full load needs, and it takes ten thousand calls. Both are judged by windows of {@link
 * #WINDOW} ({@link Steadiness}); the compiler is quiet when it took less than {@link #QUIET_SHARE}
 * of a processor in the last one. At the limit it ends in any case, and says so.
 */
public final class WarmUp {
  private static final Logger LOG = System.getLogger("gilmok.warmup");
  private static final Duration WINDOW = Duration.ofMillis(250);
  private static final int ROUNDS_MIN = 5;
  private static final int CROWD = 8;

  /** How many ask every branch: more would only queue for the processors. */
  private static final int BRANCHES_CONNECTIONS = 4;

  private static final double QUIET_SHARE = 0.2;
  private static final int QUIET_WINDOWS = 3;

  /** So long the compiler is waited for. */
  private static final int SETTLING_WINDOWS_MAX = 12;

  /** Of the time there is, what the branches may take before it is the crowds' turn. */
  private static final double BRANCHES_SHARE = 0.6;

  private static final int SURPRISES_MAX = 100;

  private final Target target;
  private final Bounds bounds;
  private final List<Shot> branches = new ArrayList<>();
  private final List<Shot> load = new ArrayList<>();
  private final AtomicLong counter = new AtomicLong();
  private final AtomicLong rounds = new AtomicLong();
  private final LongAdder answers = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final Set<String> surprises = ConcurrentHashMap.newKeySet();
  private final CountDownLatch crowd = new CountDownLatch(1);
  private volatile Window.Phase phase = Window.Phase.BRANCHES;
  private volatile boolean over;

  /**
   * Whom to ask.
   *
   * @param port on loopback
   * @param values of placeholders, as the keys
   */
  public record Target(int port, Map<String, String> values, Rendering.Packer zstd) {
    public Target {
      values = Map.copyOf(values);
    }
  }

  /**
   * How far to go.
   *
   * @param limit when it ends, steady or not
   * @param connections how many ask at the same time
   */
  public record Bounds(Duration limit, int connections) {}

  /** A warm-up of that server. */
  public WarmUp(Target target, Bounds bounds, List<Script> scripts) {
    this.target = target;
    this.bounds = bounds;
    for (Script script : scripts) {
      branches.addAll(script.shots());
      for (Shot shot : script.shots()) {
        if (shot.times() >= CROWD && isByItself(shot, script)) {
          load.addAll(Collections.nCopies(shot.times(), shot));
        }
      }
    }
  }

  /** Whether it can be asked by a connection that has asked nothing before. */
  private static boolean isByItself(Shot shot, Script script) {
    return script.shots().stream()
        .flatMap(other -> other.remembers().stream())
        .noneMatch(memory -> shot.mentions(memory.name()));
  }

  /**
   * Asks until it is steady. Blocks; an interrupt ends it. Once.
   *
   * @param watcher is told after every window how it stands, on this thread
   */
  public Report run(Consumer<Report> watcher) throws InterruptedException {
    List<Thread> askers = new ArrayList<>();
    for (int i = 0; i < bounds.connections(); i++) {
      boolean waits = i >= BRANCHES_CONNECTIONS;
      Runnable asker = waits ? this::askInCrowds : this::ask;
      askers.add(Thread.ofPlatform().daemon().name("warmup-" + i).start(asker));
    }
    try {
      return watch(watcher);
    } finally {
      over = true;
      crowd.countDown();
      for (Thread asker : askers) {
        asker.join();
      }
    }
  }

  private Report watch(Consumer<Report> watcher) throws InterruptedException {
    Clockwork clockwork = new Clockwork();
    List<Window> curve = new ArrayList<>();
    Steadiness steadiness = new Steadiness();
    boolean isSteady = false;
    while (phase != Window.Phase.SETTLING) {
      Window window = next(clockwork, curve, watcher);
      isSteady = steadiness.after(window.rate());
      boolean isLate = window.at().compareTo(bounds.limit()) >= 0;
      if (phase == Window.Phase.BRANCHES && isBranched(window, isSteady) && !load.isEmpty()) {
        phase = Window.Phase.LOAD;
        steadiness = new Steadiness();
        crowd.countDown();
      } else if (isLate || (isSteady && (phase == Window.Phase.LOAD || load.isEmpty()))) {
        phase = Window.Phase.SETTLING;
        over = true;
      }
    }
    boolean isQuiet = isQuiet(clockwork, curve, watcher);
    Report.Verdict verdict = isSteady && isQuiet ? Report.Verdict.STEADY : Report.Verdict.LIMIT;
    Report report = report(verdict, curve);
    watcher.accept(report);
    return report;
  }

  /** Waits until the compiler has nothing more to do, but not for long. */
  private boolean isQuiet(Clockwork clockwork, List<Window> curve, Consumer<Report> watcher)
      throws InterruptedException {
    int quiet = 0;
    for (int i = 0; i < SETTLING_WINDOWS_MAX && quiet < QUIET_WINDOWS; i++) {
      Window window = next(clockwork, curve, watcher);
      quiet = window.compilerMillis() < QUIET_SHARE * WINDOW.toMillis() ? quiet + 1 : 0;
    }
    return quiet == QUIET_WINDOWS;
  }

  private Window next(Clockwork clockwork, List<Window> curve, Consumer<Report> watcher)
      throws InterruptedException {
    park(clockwork.end(WINDOW));
    Window window = clockwork.window(phase, answers.sum(), nanos.sum());
    curve.add(window);
    watcher.accept(report(Report.Verdict.WARMING, curve));
    return window;
  }

  private Report report(Report.Verdict verdict, List<Window> curve) {
    return new Report(verdict, curve.getLast().at(), curve, List.copyOf(surprises));
  }

  private static void park(long until) throws InterruptedException {
    while (System.nanoTime() - until < 0) {
      LockSupport.parkNanos(until - System.nanoTime());
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Whether the branches have had their turn. */
  private boolean isBranched(Window window, boolean isSteady) {
    int asking = Math.min(BRANCHES_CONNECTIONS, bounds.connections());
    boolean isEnough = rounds.get() >= (long) ROUNDS_MIN * asking;
    double seconds = window.at().toNanos() / 1e9;
    return (isEnough && isSteady) || seconds >= BRANCHES_SHARE * bounds.limit().toNanos() / 1e9;
  }

  private void askInCrowds() {
    try {
      crowd.await();
      ask();
    } catch (InterruptedException _) {
      // Nobody interrupts this thread.
    }
  }

  /** One connection after the other, round after round. */
  private void ask() {
    Rendering rendering = new Rendering(counter, target.values(), target.zstd());
    while (!over) {
      try (Wire wire = new Wire(target.port())) {
        while (!over && !wire.isOver()) {
          round(wire, rendering);
        }
      } catch (IOException broken) {
        surprise("a connection broke: " + broken.getMessage(), null);
        LockSupport.parkNanos(WINDOW.toNanos() / 10);
      } catch (RuntimeException bug) {
        surprise("a request could not be made: " + bug.getMessage(), bug);
        return;
      }
    }
  }

  private void round(Wire wire, Rendering rendering) throws IOException {
    Window.Phase began = phase;
    for (Shot shot : began == Window.Phase.BRANCHES ? branches : load) {
      if (over || wire.isOver() || phase != began) {
        return;
      }
      ask(wire, rendering, shot);
    }
    rounds.incrementAndGet();
  }

  private void ask(Wire wire, Rendering rendering, Shot shot) throws IOException {
    byte[] request = rendering.request(shot);
    long began = System.nanoTime();
    int status = wire.exchange(request);
    nanos.add(System.nanoTime() - began);
    answers.increment();
    if (!shot.expected().contains(status)) {
      surprise(shot.name() + " (" + shot.target() + ") was answered " + status, null);
    } else {
      rendering.remember(shot, wire);
    }
  }

  /** Said once each: a script and the server do not fit, so something was not warmed. */
  private void surprise(String what, @Nullable Throwable bug) {
    if (surprises.size() < SURPRISES_MAX && surprises.add(what)) {
      LOG.log(Level.WARNING, "warm-up: " + what, bug);
    }
  }
}
