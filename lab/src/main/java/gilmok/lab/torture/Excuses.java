package gilmok.lab.torture;

import java.util.concurrent.atomic.AtomicInteger;

/** Which faults that are under way excuse a process that ends by itself. Thread-safe. */
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

  /** To be called once for each that has begun, whatever became of it. */
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

  /** Whether a process may end by itself now. */
  boolean ofAnEnd() {
    return deadly.get() > 0 || System.nanoTime() < deadlyUntilNanos;
  }

  /** Whether one that was begun then, and has not come to the end of its start, may end. */
  boolean ofAStart(long begunAtNanos) {
    return againstStarts.get() > 0 || begunAtNanos < againstStartsUntilNanos;
  }
}
