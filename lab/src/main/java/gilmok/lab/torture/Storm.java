package gilmok.lab.torture;

import gilmok.lab.crash.Violations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * A random set of faults, each with its time and duration, which may overlap; and a thread that
 * restarts the server when it has ended. Blocks.
 */
final class Storm {
  private static final int FAULTS_MAX = 4;
  private static final int START_MILLIS_MAX = 5_000;
  private static final int LENGTH_MILLIS_MIN = 500;
  private static final int LENGTH_MILLIS_MAX = 6_000;
  private static final int CUT_AFTER_MILLIS_MAX = 6_000;

  private final List<Planned> plan;
  private final Excuses excuses = new Excuses();
  private final Queue<String> untaken = new ConcurrentLinkedQueue<>();
  private volatile long passedAtNanos;
  private volatile boolean hasPassed;

  /** A fault with its time. */
  record Planned(Fault fault, int atMillis, int forMillis) {
    @Override
    public String toString() {
      String effect = fault.effect().isEmpty() ? "" : " (" + fault.effect() + ")";
      String time = "%s at %.1f s".formatted(fault.name(), atMillis / 1e3);
      String length =
          fault instanceof Fault.OfAMoment ? "" : " for %.1f s".formatted(forMillis / 1e3);
      return time + length + effect;
    }
  }

  private Storm(List<Planned> plan) {
    this.plan = plan;
  }

  /**
   * A storm of faults of the given kinds. At most one of each kind, as two would end each other.
   */
  static Storm of(Set<FaultKind> kinds, RandomGenerator random) {
    List<FaultKind> left = new ArrayList<>(kinds);
    left.remove(FaultKind.DAMAGE);
    List<Planned> plan = new ArrayList<>();
    int count = left.isEmpty() ? 0 : 1 + random.nextInt(FAULTS_MAX);
    for (int i = 0; i < count && !left.isEmpty(); i++) {
      FaultKind kind = left.remove(random.nextInt(left.size()));
      if (kind == FaultKind.FSYNC_ERROR || kind == FaultKind.FSYNC_SLOW) {
        // A process can have only one tracer.
        left.remove(FaultKind.FSYNC_ERROR);
        left.remove(FaultKind.FSYNC_SLOW);
      }
      Planned one =
          new Planned(
              kind.make(random),
              random.nextInt(START_MILLIS_MAX),
              LENGTH_MILLIS_MIN + random.nextInt(LENGTH_MILLIS_MAX - LENGTH_MILLIS_MIN));
      plan.add(one);
      if (kind == FaultKind.FSYNC_ERROR && left.remove(FaultKind.POWER_CUT)) {
        // The power is cut after the failed force, because what the restarted server acknowledged
        // must survive too.
        int later = one.atMillis + one.forMillis + random.nextInt(CUT_AFTER_MILLIS_MAX);
        plan.add(new Planned(FaultKind.POWER_CUT.make(random), later, 0));
      }
    }
    return new Storm(plan);
  }

  /** Whether the process, which has ended by itself, was allowed to. */
  private boolean wasFreeToEnd(Node node) throws IOException {
    return excuses.ofAnEnd() || (!node.hasStarted() && excuses.ofAStart(node.begunAtNanos()));
  }

  /** The excuses for a process that ends by itself. */
  Excuses excuses() {
    return excuses;
  }

  /** The faults without an effect, and why; complete when the storm is over. */
  List<String> untaken() {
    return List.copyOf(untaken);
  }

  /** When the last fault ended. */
  long passedAtNanos() {
    return passedAtNanos;
  }

  /** Runs the storm on a world. On return it is over, and the server has started. */
  void run(World world) throws InterruptedException {
    Violations findings = world.journal().findings();
    List<Thread> threads = new ArrayList<>();
    for (Planned one : plan) {
      threads.add(Thread.ofVirtual().start(() -> befall(one, world, findings)));
    }
    Thread keeper = Thread.ofVirtual().start(() -> keepAlive(world, findings));
    for (Thread thread : threads) {
      thread.join();
    }
    passedAtNanos = System.nanoTime();
    hasPassed = true;
    keeper.join();
  }

  private void befall(Planned one, World world, Violations findings) {
    try {
      Thread.sleep(one.atMillis());
      befall(one, () -> one.fault.begin(world), () -> one.fault.end(world), findings);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** The beginning or the end of a fault. */
  @FunctionalInterface
  interface Part {
    void run() throws IOException, InterruptedException;
  }

  /** Begins a fault, waits, and ends it, even if its beginning failed. */
  void befall(Planned one, Part begin, Part end, Violations findings) throws InterruptedException {
    Fault fault = one.fault;
    excuses.begin(fault);
    try {
      attempt(fault, begin, findings);
      if (!(fault instanceof Fault.OfAMoment)) {
        Thread.sleep(one.forMillis());
      }
    } finally {
      try {
        attempt(fault, end, findings);
      } finally {
        excuses.end(fault);
      }
    }
  }

  private void attempt(Fault fault, Part part, Violations findings) throws InterruptedException {
    try {
      part.run();
    } catch (DidNotTakeException nothing) {
      untaken.add(fault.name() + " did not take: " + nothing.getMessage());
    } catch (IOException | RuntimeException failed) {
      findings.add("the rig itself: " + fault.name() + ": " + failed);
    }
  }

  /**
   * Restarts the server whenever it has ended; returns when the storm is over and the server has
   * started.
   */
  private void keepAlive(World world, Violations findings) {
    Node node = world.node();
    boolean wasAlive = node.alive();
    try {
      while (!hasPassed || !isUp(node)) {
        node.lock().lockInterruptibly();
        try {
          if (!node.alive()) {
            if (wasAlive && !node.wasKilled() && !wasFreeToEnd(node)) {
              findings.add("it has ended by itself:\n" + node.lastOutput());
            }
            boolean hadPassed = hasPassed;
            wasAlive = isLiveAfterStart(node, hadPassed, findings);
            if (hadPassed && !wasAlive) {
              return;
            }
          } else if (hasPassed && isLate(node)) {
            findings.add("its start has no end:\n" + node.lastOutput());
            return;
          }
        } finally {
          node.lock().unlock();
        }
        Thread.sleep(50);
      }
    } catch (IOException | RuntimeException failed) {
      findings.add("the rig itself: " + failed);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts the server; a failed start is a finding if the storm was over before. */
  private static boolean isLiveAfterStart(Node node, boolean hadPassed, Violations findings)
      throws InterruptedException {
    try {
      node.start();
      return true;
    } catch (IOException failed) {
      if (hadPassed) {
        findings.add("it does not start: " + failed.getMessage());
      }
      return false;
    }
  }

  private static boolean isUp(Node node) throws IOException {
    return node.alive() && node.hasStarted();
  }

  /** Whether its start takes too long, counted from when it was live and the storm was over. */
  private boolean isLate(Node node) {
    long from = Math.max(node.liveAtNanos(), passedAtNanos);
    return System.nanoTime() - from > Node.LIVE_WAIT.toNanos();
  }

  @Override
  public String toString() {
    return plan.isEmpty()
        ? "nothing"
        : plan.stream().map(Planned::toString).collect(Collectors.joining(", "));
  }
}
