package gilmok.sinks;

import gilmok.background.BackgroundLoops;
import gilmok.background.WakeSignal;
import gilmok.log.Log;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How a sink's loop sleeps: a change of its account ends each sleep, and a record that becomes
 * durable ends one that was begun at the log's end. It parks, so that the log's writer needs no
 * lock to wake it. Owned by the loop's thread, but for {@link #saved}.
 */
final class SinkRest {
  /** How often a sink without work looks all the same. */
  private static final long IDLE_NANOS = BackgroundLoops.SLEEP_MAX.toNanos();

  private static final long NOT_SAVED = -1;

  private final Log log;
  private final SinkState account;
  private final boolean isAwaited;
  private final FlowControl flow;
  private final WakeSignal more = new WakeSignal(this::wake);
  private final long saveNanos;
  private volatile @Nullable Thread thread;
  private volatile boolean isWoken;
  private volatile long savedNanos = System.nanoTime();

  /** The account's version that was saved last. */
  private volatile long savedVersion = NOT_SAVED;

  SinkRest(Log log, SinkState account, FlowControl flow, Duration saveInterval) {
    saveNanos = saveInterval.toNanos();
    this.log = log;
    this.account = account;
    this.flow = flow;
    isAwaited = account.waits != null;
    if (isAwaited) {
      log.early().onWritten(more);
    } else {
      log.onDurable(more);
    }
  }

  private void wake() {
    isWoken = true;
    LockSupport.unpark(thread);
  }

  /** Belongs to the calling thread from now on. */
  void begin() {
    thread = Thread.currentThread();
    account.loop(Thread.currentThread());
  }

  /** Whether it is time to save the checkpoint. */
  boolean isSaveDue() {
    return System.nanoTime() - savedNanos >= saveNanos;
  }

  /**
   * The checkpoint was saved, or should have been.
   *
   * @param version what the account's version was before
   * @param isWhole whether nothing is left to be saved
   */
  void saved(long version, boolean isWhole) {
    savedVersion = isWhole ? version : NOT_SAVED;
    savedNanos = System.nanoTime();
  }

  /**
   * How long a loop may sleep that has read everything up to that sequence and has nothing in
   * flight. If more than {@code look}, the next record ends the sleep.
   */
  long nanos(long position, long look) {
    boolean hasWork =
        flow.isBroken() || account.nextReplay() > 0 || !account.heldSequences().isEmpty();
    if (hasWork || !isEnd(position)) {
      return look;
    }
    return flow.version() == savedVersion
        ? IDLE_NANOS
        : Math.min(IDLE_NANOS, Math.max(look, savedNanos + saveNanos - System.nanoTime()));
  }

  /**
   * How long to sleep while something is in flight, and everything up to that sequence was read: if
   * somebody waits for the sink, the next record ends the sleep.
   */
  long inFlightNanos(long position, long look) {
    return !isAwaited || isEnd(position) ? look : 0;
  }

  private boolean isEnd(long position) {
    more.arm();
    boolean isEnd = (isAwaited ? log.early().written() : log.durable()) <= position;
    if (!isEnd) {
      more.disarm();
    }
    return isEnd;
  }

  /** Sleeps until the account has another version than that, or the time is over. */
  void sleep(long seenVersion, long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    long left = nanos;
    while (left > 0 && !isWoken && flow.version() == seenVersion) {
      LockSupport.parkNanos(this, left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      left = until - System.nanoTime();
    }
    isWoken = false;
  }
}
