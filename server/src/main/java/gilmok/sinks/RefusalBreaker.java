package gilmok.sinks;

import gilmok.observe.PartTimes;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of one sink: it tells a record that is at fault from a destination that
 * refuses everything. The package's page has its states as a table.
 *
 * <p>It decides by evidence. {@link #taken} is increased each time the destination takes something.
 * A record is at fault when it was refused alone, the destination took another one after that, and
 * it is refused alone again. While nothing is taken, nothing is quarantined.
 *
 * <p>Thread-safe, guarded by the lock of the {@link SinkState}.
 */
final class RefusalBreaker {
  /** After this many records were refused alone, and none taken meanwhile, the sink is held. */
  static final int VAIN_MAX = 3;

  /** After this many refused probes, a held sink is shown as broken. */
  static final int SHOWN_AFTER = 2;

  private static final Logger LOGGER = System.getLogger("gilmok.sinks");

  /** What a batch sender may do next. */
  enum Turn {
    /** Send the next part. */
    GO,
    /** Send one record, alone. */
    PROBE,
    /** Give up. */
    STOP
  }

  private final String sink;
  private final SinkState account;
  private final FlowControl flow;

  /** Batch senders that wait for a turn, in order. */
  private final Deque<Object> waiting = new ArrayDeque<>();

  private long taken;
  private int vain;
  private @Nullable Object suspecting;
  private @Nullable Object prober;
  private boolean isHeld;
  private boolean isLoopsTurn;
  private int probes;
  private long probeAt;
  private long heldAtMillis;
  private String reason = "";

  RefusalBreaker(String sink, SinkState account, FlowControl flow) {
    this.sink = sink;
    this.account = account;
    this.flow = flow;
  }

  /** How often the destination has taken something. */
  long taken() {
    return account.locked(() -> taken);
  }

  /** The destination has taken something, so it is not at fault: everything goes on. */
  void took() {
    try (var _ = account.hold()) {
      taken++;
      vain = 0;
      if (isHeld && probes >= SHOWN_AFTER) {
        LOGGER.log(Level.INFO, "sink {0} continues: its destination accepts records again", sink);
      }
      close();
    }
  }

  /** Forgets all evidence, as everything is read anew. */
  void reset() {
    try (var _ = account.hold()) {
      vain = 0;
      close();
    }
  }

  private void close() {
    if (isHeld || suspecting != null || prober != null) {
      isHeld = false;
      suspecting = null;
      prober = null;
      probes = 0;
      account.moved();
    }
  }

  /**
   * A batch was refused as a whole. Unless something was taken since it was sent, only its own
   * batch sender goes on, to find out why.
   *
   * @param takenBefore {@link #taken} when it was sent
   */
  void refusedTogether(Object delivery, long takenBefore) {
    try (var _ = account.hold()) {
      if (taken == takenBefore && !isHeld && suspecting == null) {
        suspecting = delivery;
        account.moved();
      }
    }
  }

  /**
   * A record was refused alone and is not known to be at fault: counts it towards {@link
   * #VAIN_MAX}.
   */
  void refusedAlone(Object delivery, long takenBefore, String why) {
    try (var _ = account.hold()) {
      reason = why;
      if (taken != takenBefore) {
        return;
      }
      refusedTogether(delivery, takenBefore);
      vain++;
      if (!isHeld && vain >= VAIN_MAX) {
        isHeld = true;
        suspecting = null;
        probes = 0;
        isLoopsTurn = true;
        heldAtMillis = flow.nowMillis();
        probeAt = System.nanoTime() + flow.backOffNanos(1);
        account.moved();
      }
    }
  }

  /**
   * Waits until a batch sender may send.
   *
   * @return {@link Turn#PROBE} must be followed by {@link #probed}
   */
  Turn turn(Object delivery) throws InterruptedException {
    long began = PartTimes.clock();
    account.lock.lock();
    try {
      waiting.add(delivery);
      while (!flow.givesUp()) {
        boolean isNext = false;
        if (!account.progress().isPaused) {
          if (!isHeld && (suspecting == null || suspecting == delivery)) {
            return Turn.GO;
          }
          isNext = isHeld && prober == null && !isLoopsTurn && waiting.peek() == delivery;
          if (isNext && System.nanoTime() - probeAt >= 0) {
            prober = delivery;
            return Turn.PROBE;
          }
        }
        if (isNext) {
          account.changed.awaitNanos(probeAt - System.nanoTime());
        } else {
          account.changed.await();
        }
      }
      return Turn.STOP;
    } finally {
      waiting.remove(delivery);
      account.changed.signalAll();
      account.lock.unlock();
      PartTimes.waited(BatchTimes.TURN, PartTimes.clock() - began);
    }
  }

  /** Whether the loop may probe with a record that is not in flight yet. */
  boolean mayProbe() {
    try (var _ = account.hold()) {
      return isHeld
          && prober == null
          && (isLoopsTurn || waiting.isEmpty())
          && !account.progress().isPaused
          && System.nanoTime() - probeAt >= 0;
    }
  }

  /** Passes the loop's turn on: it has no such record, or does not probe. */
  void passTurn() {
    try (var _ = account.hold()) {
      isLoopsTurn = false;
      account.moved();
    }
  }

  /** The loop has begun a probe with that batch sender. */
  void probing(Object delivery) {
    try (var _ = account.hold()) {
      prober = delivery;
    }
  }

  /** A probe has ended. Had it been taken, the sink would no longer be held. */
  void probed(Object delivery) {
    try (var _ = account.hold()) {
      if (prober != delivery) {
        return;
      }
      prober = null;
      isLoopsTurn = !isLoopsTurn;
      probes++;
      probeAt = System.nanoTime() + flow.backOffNanos(probes);
      if (probes == SHOWN_AFTER) {
        LOGGER.log(
            Level.ERROR,
            "sink {0} is held: its destination refuses every record ({1}). Nothing is lost: they"
                + " wait in the log, and one is retried until accepted. Check the destination",
            sink,
            reason);
      }
      account.moved();
    }
  }

  /** A batch sender has ended. */
  void left(Object delivery) {
    try (var _ = account.hold()) {
      if (prober == delivery) {
        prober = null;
      }
      if (suspecting == delivery) {
        suspecting = null;
      }
      account.moved();
    }
  }

  /** The destination was repaired: the next probe starts at once. */
  void hurry() {
    try (var _ = account.hold()) {
      probes = 0;
      probeAt = System.nanoTime();
      account.moved();
    }
  }

  /** Whether batches are sent as usual. */
  boolean isClosed() {
    return account.locked(() -> !isHeld && suspecting == null);
  }

  /** Whether only one record is sent at a time. */
  boolean isHeld() {
    return account.locked(() -> isHeld);
  }

  /** Why the sink is held, once that is certain enough to be shown; else null. */
  @Nullable String fault() {
    try (var _ = account.hold()) {
      return isHeld && probes >= SHOWN_AFTER
          ? "held, as the destination refuses every record: " + reason
          : null;
    }
  }

  /** When the sink was held, epoch ms. */
  long heldAtMillis() {
    return account.locked(() -> heldAtMillis);
  }
}
