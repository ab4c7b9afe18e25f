package gilmok.background;

/**
 * For how long somebody has been at one piece of work, so that work that hangs is seen by others.
 * {@link #begin} and {@link #end} are one thread's; {@link #seconds} is anybody's.
 */
public final class WorkWatchdog {
  /** 0: not at work. */
  private volatile long sinceNanos;

  /** A piece of work begins. */
  public void begin() {
    sinceNanos = System.nanoTime() | 1;
  }

  /** It has ended, however. */
  public void end() {
    sinceNanos = 0;
  }

  /** How long the piece that is under way has lasted; 0 when there is none. */
  public double seconds() {
    long since = sinceNanos;
    return since == 0 ? 0 : (System.nanoTime() - since) / 1e9;
  }
}
