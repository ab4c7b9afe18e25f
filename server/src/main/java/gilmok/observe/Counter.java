package gilmok.observe;

import java.util.concurrent.atomic.LongAdder;

/** A number that only grows. Thread-safe; counting neither blocks nor allocates. */
public final class Counter {
  private final LongAdder total = new LongAdder();

  Counter() {}

  /** One more. */
  public void increment() {
    total.increment();
  }

  /** So many more; not negative. */
  public void add(long more) {
    total.add(more);
  }

  /** How many there have been. */
  public long total() {
    return total.sum();
  }
}
