package gilmok.http;

import gilmok.observe.FieldLog;
import gilmok.observe.FieldLog.Field;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A line in the log for some of the requests, or for none; faults of the server have one always, as
 * long as any have. A 503 is no fault: an overloaded server answers thousands of them, cheaply.
 * {@link AccessFields} are what it shows. Thread-safe.
 */
final class AccessLog {
  private static final int FAULT_FROM = 500;
  private static final int OVERLOAD = 503;

  private final FieldLog lines = new FieldLog("gilmok.access");
  private volatile int every;
  private volatile boolean isWritten = true;

  /** From now on one of so many requests has a line; 0 for none. */
  void take(AccessLogConfig config) {
    every = config.every();
    isWritten = config.isWritten();
  }

  /** Whether a request that was answered now has a line. */
  boolean has(int status) {
    int one = every;
    boolean isFault = status >= FAULT_FROM && status != OVERLOAD;
    return one > 0 && (isFault || ThreadLocalRandom.current().nextInt(one) == 0);
  }

  /** Logs a request that has a line. */
  void log(List<Field> fields) {
    if (isWritten) {
      lines.info("request", fields);
    }
  }
}
