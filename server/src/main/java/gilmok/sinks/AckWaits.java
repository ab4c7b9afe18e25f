package gilmok.sinks;

import gilmok.background.BackgroundThread;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/**
 * The appends that wait until a sink has acknowledged their records. A record that the sink refuses
 * for good, and that is in quarantine, counts as acknowledged: it will not be sent again. One that
 * the sink skipped does not count.
 *
 * <p>Each waits for a limited time. When that is over for one and the sink has acknowledged nothing
 * since it began, the sink counts as away until it acknowledges something: others need not wait in
 * vain. Its loop goes on trying with what was handed over before. One append in each such time is
 * let through all the same, as a sink that waits for its next record would else never get it.
 *
 * <p>Thread-safe. What waits is guarded by the lock of the {@link SinkState}, under which nobody is
 * told anything: those whose records are settled are told by {@link #tell}, the late ones by a
 * thread of their own.
 */
public final class AckWaits implements SettlementWatch {
  /** The most appends that wait at once. */
  public static final int WAITS_MAX = 65_536;

  /** An append that waits. Told once, by either call, which must hand over and return. */
  public interface Waiter {
    /** The sink has acknowledged all its records. On a thread of the sink's. */
    void acknowledged();

    /** The sink has not acknowledged all of them in time. */
    void late();
  }

  private static final class Wait {
    final Waiter waiter;
    final long first;
    final long last;

    /** Tells it from others, if it waits for everything up to a sequence; else 0. */
    long number;

    final long beganNanos = System.nanoTime();
    boolean isOver;

    Wait(Waiter waiter, long first, long last) {
      this.waiter = waiter;
      this.first = first;
      this.last = last;
    }
  }

  private final SinkState account;
  private final FlowControl flow;
  private final long waitNanos;
  private final Histogram seconds;
  private final Condition begun;

  /** Those that wait for a range of sequences, by its first; the ranges are disjoint. */
  private final TreeMap<Long, Wait> byFirst = new TreeMap<>();

  /** Those that wait until everything up to a sequence is settled. */
  private final TreeSet<Wait> byLast =
      new TreeSet<>(
          Comparator.comparingLong((Wait wait) -> wait.last)
              .thenComparingLong(wait -> wait.number));

  /** All of them, the oldest first; also some that are over. */
  private final ArrayDeque<Wait> byAge = new ArrayDeque<>();

  private final List<Wait> settled = new ArrayList<>();
  private volatile int count;
  private long numbers;
  private long acknowledgedNanos = System.nanoTime();
  private volatile boolean isAway;
  private volatile boolean isClosed;
  private final AtomicLong triedNanos = new AtomicLong();

  AckWaits(SinkState account, FlowControl flow, Duration wait, Meters meters, String sink) {
    this.account = account;
    this.flow = flow;
    waitNanos = wait.toNanos();
    begun = account.lock.newCondition();
    seconds =
        meters.seconds(
            "gilmok_ack_seconds",
            "From the log's taking of a request's records to the sink's acknowledgement of them.",
            "sink",
            sink);
    meters.gauge(
        "gilmok_ack_waits",
        "Requests that wait for the sink's acknowledgement.",
        () -> count,
        () -> WAITS_MAX,
        "sink",
        sink);
    meters.gauge(
        "gilmok_ack_away",
        "1 while the sink that acknowledges is away or paused.",
        () -> isAway() ? 1 : 0,
        "sink",
        sink);
  }

  /** Starts the thread that tells the late ones. */
  void start() {
    BackgroundThread.startDaemon("ack-waits", this::watch);
  }

  /** Whether no acknowledgement can be expected now: the sink is away, paused or stopped. */
  public boolean isAway() {
    return isClosed || isAway || flow.isPaused();
  }

  /**
   * Whether an append may wait: not if none can be expected to be acknowledged, but for one in a
   * while.
   */
  public boolean mayWait() {
    if (!isAway()) {
      return true;
    }
    long now = System.nanoTime();
    long tried = triedNanos.get();
    return isAway
        && !isClosed
        && !flow.isPaused()
        && now - tried >= waitNanos
        && triedNanos.compareAndSet(tried, now);
  }

  /** Whether as many wait as may. */
  public boolean isFull() {
    return count >= WAITS_MAX;
  }

  /** Waits for the records from one sequence to another, all of one append. From any thread. */
  public void await(long first, long last, Waiter waiter) {
    begin(new Wait(waiter, first, last), false);
  }

  /** Waits for every record up to a sequence. From any thread. */
  public void awaitAll(long last, Waiter waiter) {
    begin(new Wait(waiter, 0, last), true);
  }

  private void begin(Wait wait, boolean isAll) {
    boolean isSettled;
    boolean isLate;
    try (var _ = account.hold()) {
      isSettled = account.progress().isSettled(wait.first, wait.last);
      isLate = isClosed;
      if (!isSettled && !isLate) {
        if (isAll) {
          wait.number = ++numbers;
          byLast.add(wait);
        } else {
          byFirst.put(wait.first, wait);
        }
        if (byAge.isEmpty()) {
          begun.signal();
        }
        byAge.add(wait);
        count();
      }
    }
    if (isSettled) {
      tell(wait);
    } else if (isLate) {
      wait.waiter.late();
    }
  }

  @Override
  public void settled(long from, long to, SinkCheckpoint now, boolean isAnswer) {
    if (isAnswer) {
      acknowledgedNanos = System.nanoTime();
      isAway = false;
    }
    Long near = byFirst.floorKey(from);
    Map<Long, Wait> some = byFirst.subMap(near == null ? from : near, true, to, true);
    some.values().removeIf(wait -> now.isSettled(wait.first, wait.last) && over(wait));
    while (!byLast.isEmpty() && byLast.first().last <= now.low()) {
      over(byLast.removeFirst());
    }
    count();
    while (!byAge.isEmpty() && byAge.getFirst().isOver) {
      byAge.removeFirst();
    }
  }

  private void count() {
    count = byFirst.size() + byLast.size();
  }

  private boolean over(Wait wait) {
    wait.isOver = true;
    settled.add(wait);
    return true;
  }

  /** Whether the sink is away is not known any longer. */
  @Override
  public void reset() {
    isAway = false;
  }

  /** Tells those whose records were settled. */
  @Override
  public void tell() {
    List<Wait> some;
    try (var _ = account.hold()) {
      if (settled.isEmpty()) {
        return;
      }
      some = List.copyOf(settled);
      settled.clear();
    }
    some.forEach(this::tell);
  }

  private void tell(Wait wait) {
    seconds.record(System.nanoTime() - wait.beganNanos);
    wait.waiter.acknowledged();
  }

  /** The sink stops: nobody waits any longer. */
  void close() {
    try (var _ = account.hold()) {
      isClosed = true;
      begun.signal();
    }
  }

  private void watch() {
    try {
      while (!isClosed) {
        awaitLate().forEach(wait -> wait.waiter.late());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      takeLate(Long.MAX_VALUE).forEach(wait -> wait.waiter.late());
    }
  }

  /** Waits until the time of some is over. */
  private List<Wait> awaitLate() throws InterruptedException {
    try (var _ = account.hold()) {
      while (!isClosed) {
        Wait oldest = byAge.peek();
        if (oldest == null) {
          begun.await();
        } else if (oldest.isOver) {
          byAge.remove();
        } else {
          long age = System.nanoTime() - oldest.beganNanos;
          if (age >= waitNanos) {
            return takeLate(waitNanos);
          }
          long _ = begun.awaitNanos(waitNanos - age);
        }
      }
      return List.of();
    }
  }

  /** Takes those that have waited for so long. */
  private List<Wait> takeLate(long ageNanos) {
    List<Wait> late = new ArrayList<>();
    try (var _ = account.hold()) {
      long now = System.nanoTime();
      boolean isAll = ageNanos == Long.MAX_VALUE;
      for (Wait one = byAge.peek();
          one != null && (one.isOver || isAll || now - one.beganNanos >= ageNanos);
          one = byAge.peek()) {
        byAge.remove();
        if (!one.isOver) {
          one.isOver = true;
          if (one.number > 0) {
            byLast.remove(one);
          } else {
            byFirst.remove(one.first);
          }
          late.add(one);
        }
      }
      count();
      if (!late.isEmpty() && acknowledgedNanos - late.getFirst().beganNanos < 0) {
        isAway = true;
        triedNanos.set(now);
      }
    }
    return late;
  }
}
