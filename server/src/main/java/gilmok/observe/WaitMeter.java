package gilmok.observe;

import java.util.concurrent.atomic.LongAdder;

/**
 * Measures how long threads wait for one thing, and how many do now. Waits of one thread must not
 * overlap, as each is also a part of what its thread does ({@link PartTimes}). Thread-safe.
 */
public final class WaitMeter {
  private final String on;
  private final LongAdder waiting = new LongAdder();
  private final Histogram seconds;

  /**
   * Registers a meter; once for each thing.
   *
   * @param on what is waited for; the label
   */
  public WaitMeter(Meters meters, String on) {
    this.on = on;
    seconds =
        meters.seconds(
            "gilmok_wait_seconds", "How long a thread waited, by what it waited for.", "on", on);
    meters.gauge(
        "gilmok_waiting",
        "Threads that wait now, by what they wait for.",
        waiting::doubleValue,
        "on",
        on);
  }

  /** This thread begins to wait; returns the thread's clock, for {@link #end}. */
  public long begin() {
    waiting.increment();
    return PartTimes.clock();
  }

  /** This thread waits no longer. Call it in a {@code finally}. */
  public void end(long began) {
    long nanos = PartTimes.clock() - began;
    waiting.decrement();
    seconds.record(nanos);
    PartTimes.waited(on, nanos);
  }
}
