package gilmok.warmup;

import gilmok.background.BackgroundThread;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server what scripts say, over its real HTTP stack, until it answers no faster and the
 * compiler has nothing left to do.
 *
 * <p>First a few connections ask every branch {@link #ROUNDS} times: the classes of a first request
 * of any kind are loaded, and the profile of what is compiled later knows that there are such. Then
 * a crowd asks, in bursts: mostly what comes in crowds, each shot as many {@link
 * ScriptRequest#times} as its script says, and now and then the next branch. Between bursts nothing
 * is asked until the compiler is quiet: code is promoted only by being called while the compiler is
 * not behind, and what a burst has had compiled is what makes the next one faster. When a burst is
 * no faster than one before, it is steady ({@link Plateau}). At the limit it ends in any case, and
 * says so.
 *
 * <p>All is seen in windows of {@link #WINDOW}; the compiler is quiet in one when it took less than
 * {@link #QUIET_SHARE} of a processor.
 */
public final class WarmUp {
  private static final Logger LOG = System.getLogger("gilmok.warmup");
  private static final Duration WINDOW = Duration.ofMillis(250);

  /** How many ask every branch: more would only queue for the processors. */
  private static final int BRANCHES_CONNECTIONS = 4;

  /** How often each of them asks it. */
  private static final int ROUNDS = 2;

  /** Of the time there is, what the branches may take before it is the crowd's turn. */
  private static final double BRANCHES_SHARE = 0.5;

  /**
   * Of what a crowd asks, every so many is the next branch, at first: what is compiled without
   * knowing a branch is thrown away when it is taken.
   */
  private static final int BETWEEN_FIRST = 4;

  /** And later. */
  private static final int BETWEEN = 24;

  private static final int BURST_WINDOWS = 2;
  private static final double QUIET_SHARE = 0.2;
  private static final int QUIET_WINDOWS = 2;

  /** So long the compiler is waited for. */
  private static final int SETTLING_WINDOWS_MAX = 6;

  private static final int SURPRISES_MAX = 100;

  private final Bounds bounds;
  private final Consumer<WarmUpReport> watcher;
  private final List<ScriptRequest> branches = new ArrayList<>();
  private final List<Integer> starts = new ArrayList<>();
  private final List<ScriptRequest> load = new ArrayList<>();
  private final AtomicLong counter = new AtomicLong();
  private final AtomicLong rounds = new AtomicLong();
  private final LongAdder answers = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final Set<String> surprises = ConcurrentHashMap.newKeySet();
  private final WindowSampler sampler = new WindowSampler();
  private final List<WarmUpWindow> curve = new ArrayList<>();
  private volatile WarmUpWindow.Phase phase = WarmUpWindow.Phase.BRANCHES;
  private volatile boolean over;
  private volatile int between = BETWEEN_FIRST;
  private boolean isSteady;

  /**
   * Whom to ask.
   *
   * @param port on loopback
   * @param values of placeholders, as the keys
   */
  public record Target(int port, Map<String, String> values, UnaryOperator<byte[]> zstd) {
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

  /**
   * A warm-up that begins now.
   *
   * @param watcher is told after every window how it stands, on the thread that warms up
   */
  public WarmUp(Bounds bounds, List<WarmUpScript> scripts, Consumer<WarmUpReport> watcher) {
    this.bounds = bounds;
    this.watcher = watcher;
    for (WarmUpScript script : scripts) {
      starts.add(branches.size());
      branches.addAll(script.shots());
      for (ScriptRequest scriptRequest : script.shots()) {
        if (scriptRequest.turns().times() > 0 && isByItself(scriptRequest, script)) {
          load.addAll(Collections.nCopies(scriptRequest.turns().times(), scriptRequest));
        }
      }
    }
  }

  /** Whether it can be asked by a connection that has asked nothing before. */
  private static boolean isByItself(ScriptRequest scriptRequest, WarmUpScript script) {
    return script.shots().stream()
        .flatMap(other -> other.remembers().stream())
        .noneMatch(capture -> scriptRequest.mentions(capture.name()));
  }

  /** Asks every branch of that server. Blocks; an interrupt ends it. Once, and first. */
  public void branches(Target target) throws InterruptedException {
    enter(WarmUpWindow.Phase.BRANCHES);
    List<Thread> askers = start(target, Math.min(BRANCHES_CONNECTIONS, bounds.connections()));
    try {
      while (!isBranched(next(), askers.size())) {
        // What is to be known of a window is in the curve.
      }
    } finally {
      end(askers);
    }
  }

  /**
   * Lets a crowd ask that server until it is steady. Blocks; an interrupt ends it. Once. It should
   * not be the server that {@link #branches} were asked of, but one that was started when that had
   * ended: how a server ends is then known to the compiler, which otherwise throws away what it has
   * made of much that is hot, at the very end.
   */
  public void crowd(Target target) throws InterruptedException {
    isSteady = load.isEmpty();
    boolean isQuiet = settles();
    Plateau plateau = new Plateau();
    List<Thread> askers = start(target, load.isEmpty() ? 0 : bounds.connections());
    try {
      while (!(isSteady && isQuiet)
          && curve.getLast().at().compareTo(bounds.limit()) < 0
          && !load.isEmpty()) {
        isSteady = plateau.after(burst());
        between = BETWEEN;
        isQuiet = settles();
      }
    } finally {
      end(askers);
    }
    isSteady &= isQuiet;
  }

  /**
   * Waits until what the end of the last server has had compiled is done, too, but not for long;
   * how all of it went. Last.
   */
  public WarmUpReport end() throws InterruptedException {
    isSteady &= settles();
    WarmUpReport report =
        report(isSteady ? WarmUpReport.Verdict.STEADY : WarmUpReport.Verdict.LIMIT);
    watcher.accept(report);
    return report;
  }

  private List<Thread> start(Target target, int count) {
    over = false;
    List<Thread> askers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Asker asker = new Asker(target, i);
      askers.add(BackgroundThread.startDaemon("warmup-" + i, asker));
    }
    return askers;
  }

  private void end(List<Thread> askers) throws InterruptedException {
    endAsking();
    for (Thread asker : askers) {
      asker.join();
    }
  }

  /** Lets the crowd ask for a while; requests a second. */
  private double burst() throws InterruptedException {
    enter(WarmUpWindow.Phase.LOAD);
    double sum = 0;
    for (int i = 0; i < BURST_WINDOWS; i++) {
      sum += next().rate();
    }
    return sum / BURST_WINDOWS;
  }

  /** Asks nothing until the compiler has nothing more to do, but not for long. */
  private boolean settles() throws InterruptedException {
    enter(WarmUpWindow.Phase.SETTLING);
    int quiet = 0;
    for (int i = 0; i < SETTLING_WINDOWS_MAX && quiet < QUIET_WINDOWS; i++) {
      WarmUpWindow window = next();
      quiet = window.compilerMillis() < QUIET_SHARE * WINDOW.toMillis() ? quiet + 1 : 0;
    }
    return quiet == QUIET_WINDOWS;
  }

  private WarmUpWindow next() throws InterruptedException {
    park(sampler.end(WINDOW));
    WarmUpWindow window = sampler.window(phase, answers.sum(), nanos.sum());
    curve.add(window);
    watcher.accept(report(WarmUpReport.Verdict.WARMING));
    return window;
  }

  private WarmUpReport report(WarmUpReport.Verdict verdict) {
    return new WarmUpReport(verdict, curve.getLast().at(), curve, List.copyOf(surprises));
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
  private boolean isBranched(WarmUpWindow window, int asking) {
    return rounds.get() >= (long) ROUNDS * asking
        || window.at().toNanos() >= BRANCHES_SHARE * bounds.limit().toNanos();
  }

  private synchronized void enter(WarmUpWindow.Phase next) {
    phase = next;
    notifyAll();
  }

  private synchronized void endAsking() {
    over = true;
    notifyAll();
  }

  /** Waits until there is something to ask; false when there will be nothing more. */
  private synchronized boolean isTurn() throws InterruptedException {
    while (!over && phase == WarmUpWindow.Phase.SETTLING) {
      wait();
    }
    return !over;
  }

  /** One that asks, by one connection after the other. */
  private final class Asker implements Runnable {
    private final Target target;
    private final RequestTemplate template;

    /** Apart, as branches say again what was said by the one before. */
    private final RequestTemplate ofCrowd;

    private int branch;
    private int crowd;
    private int round;

    Asker(Target target, int number) {
      this.target = target;
      template = new RequestTemplate(counter, target.values(), target.zstd());
      ofCrowd = new RequestTemplate(counter, target.values(), target.zstd());
      boolean isOne = phase == WarmUpWindow.Phase.BRANCHES;
      branch = isOne ? 0 : starts.get(number % starts.size());
      crowd = isOne ? 0 : number % load.size();
    }

    @Override
    public void run() {
      try {
        while (isTurn() && !isDone()) {
          connection();
        }
      } catch (RuntimeException bug) {
        surprise("a request could not be made: " + bug.getMessage(), bug);
      } catch (InterruptedException _) {
        // Nobody interrupts this thread.
      }
    }

    private boolean isDone() {
      return round >= ROUNDS && phase == WarmUpWindow.Phase.BRANCHES;
    }

    private void connection() throws InterruptedException {
      try (LoopbackClient client = new LoopbackClient(target.port())) {
        while (!client.isOver() && isTurn() && !isDone()) {
          for (int i = 0;
              i < between && phase == WarmUpWindow.Phase.LOAD && !client.isOver();
              i++) {
            ask(client, ofCrowd, load.get(crowd));
            crowd = (crowd + 1) % load.size();
          }
          if (!client.isOver() && isTurn()) {
            branch(client);
          }
        }
      } catch (IOException broken) {
        surprise("a connection broke: " + broken.getMessage(), null);
        LockSupport.parkNanos(WINDOW.toNanos() / 10);
      }
    }

    private void branch(LoopbackClient client) throws IOException {
      ScriptRequest scriptRequest = branches.get(branch);
      if (!scriptRequest.turns().isSeldom()
          || (round == 0 && phase == WarmUpWindow.Phase.BRANCHES)) {
        ask(client, template, scriptRequest);
      }
      branch++;
      if (branch == branches.size()) {
        branch = 0;
        round++;
        rounds.incrementAndGet();
      }
    }
  }

  private void ask(LoopbackClient client, RequestTemplate template, ScriptRequest scriptRequest)
      throws IOException {
    byte[] request = template.request(scriptRequest);
    long began = System.nanoTime();
    int status = client.exchange(request);
    nanos.add(System.nanoTime() - began);
    answers.increment();
    if (!scriptRequest.expected().contains(status)) {
      surprise(
          scriptRequest.name() + " (" + scriptRequest.target() + ") was answered " + status, null);
    } else {
      template.remember(scriptRequest, client);
    }
  }

  /** Said once each: a script and the server do not fit, so something was not warmed. */
  private void surprise(String what, @Nullable Throwable bug) {
    if (surprises.size() < SURPRISES_MAX && surprises.add(what)) {
      LOG.log(Level.WARNING, "warm-up: " + what, bug);
    }
  }
}
