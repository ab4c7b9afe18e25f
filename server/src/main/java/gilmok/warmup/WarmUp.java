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
 * Warms up a server: sends the requests of scripts over its real HTTP stack, until responses get no
 * faster and the compiler is idle.
 *
 * <p>First one connection sends every branch once. This loads the classes that the first request of
 * each kind needs, and adds every branch to the profile of code that is compiled later; more than
 * that would have the compiler work on rare code while the hot code waits. A server with TLS is
 * then sent requests over connections of the kinds that it offers. Then a crowd of connections
 * sends bursts: mostly hot requests, each {@link ScriptRequest.Turns#times} in a turn, and now and
 * then the next branch. Between bursts nothing is sent until the compiler is nearly idle: code is
 * promoted only when it is called while the compiler is not behind, and the code that a burst has
 * had compiled makes the next one faster. The warm-up is steady when a burst is no faster than one
 * before ({@link Plateau}). At its time limit it ends in any case, and says so.
 *
 * <p>Everything is measured in windows of {@link #WINDOW}; {@link CompilerRest} says when the
 * compiler is idle enough.
 *
 * <p>Not thread-safe: used by the thread that warms up; the connections have threads of their own.
 */
public final class WarmUp {
  private static final Logger LOG = System.getLogger("gilmok.warmup");
  private static final Duration WINDOW = Duration.ofMillis(100);

  private static final int SECURED_CONNECTIONS = 4;
  private static final int SECURED_WINDOWS = 15;

  /** The largest share of the time limit for the branches. */
  private static final double BRANCHES_SHARE = 0.5;

  /**
   * In the first burst every such request of the crowd is the next branch. Code that was compiled
   * without having seen a branch is discarded when the branch is taken.
   */
  private static final int BETWEEN_FIRST = 4;

  /** The same in later bursts. */
  private static final int BETWEEN = 24;

  private static final int BURST_WINDOWS = 2;

  private static final int SURPRISES_MAX = 100;

  private final Bounds bounds;
  private final Consumer<WarmUpReport> watcher;
  private final List<ScriptRequest> branches = new ArrayList<>();
  private final List<Integer> starts = new ArrayList<>();
  private final List<ScriptRequest> load = new ArrayList<>();
  private final AtomicLong counter = new AtomicLong();
  private final LongAdder answers = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final Set<String> surprises = ConcurrentHashMap.newKeySet();
  private final WindowSampler sampler = new WindowSampler();
  private final List<WarmUpWindow> curve = new ArrayList<>();
  private volatile WarmUpWindow.Phase phase = WarmUpWindow.Phase.BRANCHES;
  private volatile boolean over;
  private volatile boolean isBranched;
  private volatile int between = BETWEEN_FIRST;
  private boolean isSteady;

  /**
   * The server to warm up.
   *
   * @param connector opens connections to it
   * @param requestsMax how many requests a connection sends before it makes room for the next one
   * @param values the values of placeholders, such as keys
   * @param zstd compresses a body
   */
  public record Target(
      ScriptClient.Connector connector,
      int requestsMax,
      Map<String, String> values,
      UnaryOperator<byte[]> zstd) {
    public Target {
      values = Map.copyOf(values);
    }

    /** A server that is asked over connections of HTTP/1.1 that stay open. */
    public static Target plain(int port, Map<String, String> values, UnaryOperator<byte[]> zstd) {
      return new Target(_ -> new LoopbackClient(port), Integer.MAX_VALUE, values, zstd);
    }
  }

  /**
   * The bounds of a warm-up.
   *
   * @param limit when it ends, steady or not
   * @param connections how many connections the crowd has
   */
  public record Bounds(Duration limit, int connections) {}

  /**
   * Starts the clock of a warm-up.
   *
   * @param watcher receives the report so far after every window, on the thread that warms up
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

  /**
   * Whether a connection can send it as its first request, without captures from earlier responses.
   */
  private static boolean isByItself(ScriptRequest scriptRequest, WarmUpScript script) {
    return script.shots().stream()
        .flatMap(other -> other.remembers().stream())
        .noneMatch(capture -> scriptRequest.mentions(capture.name()));
  }

  /**
   * Sends every branch to a server. Blocks; an interrupt ends it. Called once, before {@link
   * #crowd}.
   */
  public void branches(Target target) throws InterruptedException {
    enter(WarmUpWindow.Phase.BRANCHES);
    List<Thread> askers = start(target, 1);
    try {
      while (!isBranched(next())) {
        // next() has added the window to the curve.
      }
    } finally {
      end(askers);
    }
  }

  /**
   * Sends hot requests and branches over a few connections of other kinds than the crowd's, each of
   * which is soon replaced by a new one, so that the code of connecting is warmed up, too. Blocks;
   * an interrupt ends it. Called between {@link #branches} and {@link #crowd}, or not at all.
   */
  public void secured(Target target) throws InterruptedException {
    enter(WarmUpWindow.Phase.LOAD);
    List<Thread> askers = start(target, load.isEmpty() ? 0 : SECURED_CONNECTIONS);
    try {
      for (int i = 0; i < SECURED_WINDOWS; i++) {
        next();
      }
    } finally {
      end(askers);
    }
  }

  /**
   * Sends bursts to a server until it is steady. Blocks; an interrupt ends it. Called once.
   *
   * <p>The server should not be the one that {@link #branches} ran against, but one started after
   * that one had ended. The compiler then knows the code of a server's end, and need not discard
   * compiled hot code when the last server ends.
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
   * Waits, for a limited time, until the compiler has finished. Called last.
   *
   * @return the report of the whole warm-up
   */
  public WarmUpReport end() throws InterruptedException {
    isSteady &= settles(CompilerRest.AT_THE_END);
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

  /** Runs the crowd for one burst; returns its requests a second. */
  private double burst() throws InterruptedException {
    enter(WarmUpWindow.Phase.LOAD);
    double sum = 0;
    for (int i = 0; i < BURST_WINDOWS; i++) {
      sum += next().rate();
    }
    return sum / BURST_WINDOWS;
  }

  private boolean settles() throws InterruptedException {
    return settles(CompilerRest.BETWEEN_BURSTS);
  }

  /** Pauses the crowd until the compiler rests, for a limited time; returns whether it does. */
  private boolean settles(CompilerRest rest) throws InterruptedException {
    enter(WarmUpWindow.Phase.SETTLING);
    int idle = 0;
    for (int i = 0; i < rest.windowsMax() && idle < rest.windows(); i++) {
      double share = next().compilerMillis() / WINDOW.toMillis();
      idle = share < rest.share() ? idle + 1 : 0;
    }
    return idle == rest.windows();
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

  /** Whether the branches are done, or their share of the time is used. */
  private boolean isBranched(WarmUpWindow window) {
    return isBranched || window.at().toNanos() >= BRANCHES_SHARE * bounds.limit().toNanos();
  }

  private synchronized void enter(WarmUpWindow.Phase next) {
    phase = next;
    notifyAll();
  }

  private synchronized void endAsking() {
    over = true;
    notifyAll();
  }

  /** Waits until requests may be sent; false when the warm-up is over. */
  private synchronized boolean isTurn() throws InterruptedException {
    while (!over && phase == WarmUpWindow.Phase.SETTLING) {
      wait();
    }
    return !over;
  }

  /** A thread that sends requests, over one connection after the other. */
  private final class Asker implements Runnable {
    private final Target target;
    private final int number;
    private final RequestTemplate template;

    /** A template of its own, because a branch uses captures of the branches before it. */
    private final RequestTemplate ofCrowd;

    private int branch;
    private int crowd;

    Asker(Target target, int number) {
      this.target = target;
      this.number = number;
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
      return isBranched && phase == WarmUpWindow.Phase.BRANCHES;
    }

    private void connection() throws InterruptedException {
      try (ScriptClient client = target.connector().connect(number)) {
        int sent = 0;
        while (!client.isOver() && sent < target.requestsMax() && isTurn() && !isDone()) {
          for (int i = 0;
              i < between && phase == WarmUpWindow.Phase.LOAD && !client.isOver();
              i++) {
            ask(client, ofCrowd, load.get(crowd));
            crowd = (crowd + 1) % load.size();
            sent++;
          }
          if (!client.isOver() && isTurn()) {
            branch(client);
            sent++;
          }
        }
      } catch (IOException broken) {
        surprise("a connection broke: " + broken.getMessage(), null);
        LockSupport.parkNanos(WINDOW.toNanos() / 10);
      }
    }

    private void branch(ScriptClient client) throws IOException {
      ScriptRequest scriptRequest = branches.get(branch);
      if (!scriptRequest.turns().isSeldom() || phase == WarmUpWindow.Phase.BRANCHES) {
        ask(client, template, scriptRequest);
      }
      branch++;
      if (branch == branches.size()) {
        branch = 0;
        isBranched |= phase == WarmUpWindow.Phase.BRANCHES;
      }
    }
  }

  private void ask(ScriptClient client, RequestTemplate template, ScriptRequest scriptRequest)
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

  /** Reports a mismatch between script and server once: something was not warmed up. */
  private void surprise(String what, @Nullable Throwable bug) {
    if (surprises.size() < SURPRISES_MAX && surprises.add(what)) {
      LOG.log(Level.WARNING, "warm-up: " + what, bug);
    }
  }
}
