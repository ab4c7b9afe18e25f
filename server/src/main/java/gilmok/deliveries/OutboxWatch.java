package gilmok.deliveries;

import gilmok.background.WakeSignal;
import java.io.IOException;
import java.util.List;

/**
 * Knows when an outbox need not be polled: nothing is pending, and whatever becomes pending wakes
 * who polls. Never so if other nodes change the outbox, too. Belongs to the thread that polls, but
 * for {@link #isQuiet}.
 */
public final class OutboxWatch {
  private final Outbox outbox;
  private final List<OutboxReader> readers;
  private final WakeSignal change;
  private final boolean isTold;
  private volatile boolean isQuiet;
  private boolean isAnyFound;

  /**
   * A watch that knows nothing yet.
   *
   * @param readers whose events are polled
   * @param wake wakes who polls; must not block
   */
  public OutboxWatch(Outbox outbox, List<OutboxReader> readers, Runnable wake) {
    this.outbox = outbox;
    this.readers = List.copyOf(readers);
    change = new WakeSignal(wake);
    isTold = outbox.onChange(change);
  }

  /** Whether it can be quiet at all: no other node changes the outbox. */
  public boolean isTold() {
    return isTold;
  }

  /** Whether nothing was pending at the last sweep, and nothing has changed since. Any thread. */
  public boolean isQuiet() {
    return isQuiet && change.isArmed();
  }

  /** All shards are about to be polled. */
  public void beginSweep() {
    isQuiet = false;
    isAnyFound = false;
    change.arm();
  }

  /** Notes whether something was due, or is still to be done. */
  public void found(boolean isAny) {
    isAnyFound |= isAny;
  }

  /**
   * All shards were polled.
   *
   * @return whether it is quiet from now on
   */
  public boolean endSweep() throws IOException, InterruptedException {
    isQuiet = isTold && !isAnyFound && isEmpty() && change.isArmed();
    if (!isQuiet) {
      change.disarm();
    }
    return isQuiet;
  }

  private boolean isEmpty() throws IOException, InterruptedException {
    for (OutboxReader reader : readers) {
      if (!outbox.isEmpty(reader)) {
        return false;
      }
    }
    return true;
  }
}
