package gilmok.observe;

import java.util.concurrent.atomic.LongAdder;

/** A number that only grows. Thread-safe; counting neither blocks nor allocates. */
public final class Counter {
  private final LongAdder total = new LongAdder();

  /** A counter at 0, which is shown once its owner registers it. */
  public Counter() {}

  /** Adds one. */
  public void increment() {
    total.increment();
  }

  /** Adds a number that must not be negative. */
  public void add(long more) {
    total.add(more);
  }

  /** The total. */
  public long total() {
    return total.sum();
  }
}
