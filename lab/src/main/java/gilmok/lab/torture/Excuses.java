package gilmok.lab.torture;

import java.util.concurrent.atomic.AtomicInteger;

/** Tells whether the active faults allow the server's process to end by itself. Thread-safe. */
final class Excuses {
  private static final long LATE_END_NANOS = 12_000_000_000L;

  private final AtomicInteger deadly = new AtomicInteger();
  private final AtomicInteger againstStarts = new AtomicInteger();
  private volatile long deadlyUntilNanos = Long.MIN_VALUE;
  private volatile long againstStartsUntilNanos = Long.MIN_VALUE;

  void begin(Fault fault) {
    deadly.addAndGet(fault.mayEndIt() ? 1 : 0);
    againstStarts.addAndGet(fault.mayEndStart() ? 1 : 0);
  }

  /** Called once for each fault that has begun, whether or not it had an effect. */
  void end(Fault fault) {
    if (fault.mayEndIt()) {
      deadlyUntilNanos = System.nanoTime() + LATE_END_NANOS;
      deadly.decrementAndGet();
    }
    if (fault.mayEndStart()) {
      againstStartsUntilNanos = System.nanoTime();
      againstStarts.decrementAndGet();
    }
  }

  /** Whether a running process may end now. */
  boolean ofAnEnd() {
    return deadly.get() > 0 || System.nanoTime() < deadlyUntilNanos;
  }

  /** Whether a process begun at a time may end before its start is complete. */
  boolean ofAStart(long begunAtNanos) {
    return againstStarts.get() > 0 || begunAtNanos < againstStartsUntilNanos;
  }
}
