package gilmok.background;

/**
 * Wakes somebody who sleeps because there was nothing to do, when there is something again. Firing
 * it costs one look at memory while nobody sleeps, so it can follow each commit.
 *
 * <p>The sleeper arms it <em>before</em> it looks for work the last time, and sleeps only if it
 * finds none: what comes before is found, what comes after fires. While it has work, it leaves the
 * signal alone, and its pauses are not cut short. Thread-safe.
 */
public final class WakeSignal {
  private final Runnable wake;
  private volatile boolean isArmed;

  /**
   * A signal that is not armed.
   *
   * @param wake wakes the sleeper; called by whoever fires, so it must not block
   */
  public WakeSignal(Runnable wake) {
    this.wake = wake;
  }

  /** From now on, the next {@link #fire} wakes. */
  public void arm() {
    isArmed = true;
  }

  /** The sleeper has work: it need not be woken. */
  public void disarm() {
    isArmed = false;
  }

  /** Whether it has not fired since it was armed. */
  public boolean isArmed() {
    return isArmed;
  }

  /** There may be work: wakes the sleeper, if it has armed the signal. */
  public void fire() {
    if (isArmed) {
      isArmed = false;
      wake.run();
    }
  }
}
