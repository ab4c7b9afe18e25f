package gilmok.background;

/**
 * Measures how long one piece of work has lasted, so that other threads see work that hangs. {@link
 * #begin} and {@link #end} are called by one thread, {@link #seconds} by any.
 */
public final class WorkWatchdog {
  /** When the present work began, in nanoseconds; 0 when there is none. */
  private volatile long sinceNanos;

  /** Marks the beginning of a piece of work. */
  public void begin() {
    sinceNanos = System.nanoTime() | 1;
  }

  /** Marks its end, whether it succeeded or not. */
  public void end() {
    sinceNanos = 0;
  }

  /** How long the present work has lasted, in seconds; 0 when there is none. */
  public double seconds() {
    long since = sinceNanos;
    return since == 0 ? 0 : (System.nanoTime() - since) / 1e9;
  }
}
