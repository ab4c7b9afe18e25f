package gilmok.background;

import java.util.Arrays;

/** The signals that one source fires together. Thread-safe. */
public final class WakeSignals {
  private volatile WakeSignal[] all = {};

  /** Fires this one, too, from now on. */
  public synchronized void add(WakeSignal signal) {
    WakeSignal[] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = signal;
    all = more;
  }

  /** Fires all that are armed. */
  public void fire() {
    for (WakeSignal signal : all) {
      signal.fire();
    }
  }
}
