package gilmok.shipped;

import java.util.TreeMap;

/**
 * Who is reading published files: each lease has a number, and files that others have replaced are
 * deleted only when all leases from before the replacement have ended. So a reader finds what it
 * has listed.
 *
 * <p>Thread-safe.
 */
public final class FileLeases {
  /** How many leases of each number are open. */
  private final TreeMap<Long, Integer> open = new TreeMap<>();

  private long now;

  /** Begins a lease; returns its number, for {@link #end}. */
  synchronized long begin() {
    open.merge(now, 1, Integer::sum);
    return now;
  }

  /** Ends a lease. */
  synchronized void end(long lease) {
    open.computeIfPresent(lease, (_, count) -> count == 1 ? null : count - 1);
  }

  /** A mark in time: leases that begin from now on are after it. */
  public synchronized long mark() {
    return ++now;
  }

  /** Whether no lease from before the mark is open. */
  public synchronized boolean haveEndedBefore(long mark) {
    return open.isEmpty() || open.firstKey() >= mark;
  }

  /** How many are open. */
  public synchronized int size() {
    return open.values().stream().mapToInt(Integer::intValue).sum();
  }
}
