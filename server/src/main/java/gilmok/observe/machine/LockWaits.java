package gilmok.observe.machine;

import gilmok.observe.Meters.Totals;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * How often and how long platform threads waited to enter a monitor, such as event loops, the log's
 * writer and background loops. The JVM counts for each thread. It counts neither virtual threads,
 * which leave their carrier while they wait, nor waits for {@code java.util.concurrent}'s locks.
 * Thread-safe.
 */
final class LockWaits {
  private static final double MILLIS = 1e3;

  /** A thread's counts at the last look. */
  private record Counts(long waits, long millis) {
    private static final Counts NONE = new Counts(0, 0);
  }

  private final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
  private Map<Long, Counts> threads = Map.of();
  private long waits;
  private long millis;

  /** Makes the JVM measure waits from now on, if it can. */
  LockWaits() {
    if (isMeasured()) {
      bean.setThreadContentionMonitoringEnabled(true);
    }
  }

  /** Whether this JVM can measure waits. */
  boolean isMeasured() {
    return bean.isThreadContentionMonitoringSupported();
  }

  /** The waits of all threads, without those of a thread between the last look and its end. */
  synchronized Totals totals() {
    Map<Long, Counts> now = new HashMap<>();
    for (ThreadInfo thread : bean.getThreadInfo(bean.getAllThreadIds())) {
      if (thread != null) { // it has not ended meanwhile
        Counts counts = new Counts(thread.getBlockedCount(), Math.max(0, thread.getBlockedTime()));
        Counts before = threads.getOrDefault(thread.getThreadId(), Counts.NONE);
        waits += Math.max(0, counts.waits - before.waits);
        millis += Math.max(0, counts.millis - before.millis);
        now.put(thread.getThreadId(), counts);
      }
    }
    threads = now;
    return new Totals(waits, millis / MILLIS);
  }
}
