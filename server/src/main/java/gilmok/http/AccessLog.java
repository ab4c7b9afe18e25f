package gilmok.http;

import gilmok.observe.FieldLog;
import gilmok.observe.FieldLog.Field;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A line in the log for some of the requests, or for none; faults of the server have one always, as
 * long as any have. A path is shown without its query, which may have a key. Thread-safe.
 */
final class AccessLog {
  private static final int FAULT_FROM = 500;
  private static final double NANOS_IN_MICRO = 1e3;
  private static final double MICROS_IN_MILLI = 1e3;
  private static final int AGENT_CHARS_MAX = 200;

  private final FieldLog lines = new FieldLog("gilmok.access");
  private volatile int every;

  /** From now on one of so many requests has a line; 0 for none. */
  void take(AccessLogConfig config) {
    every = config.every();
  }

  /** Whether a request that was answered now has a line. */
  boolean has(int status) {
    int one = every;
    return one > 0 && (status >= FAULT_FROM || ThreadLocalRandom.current().nextInt(one) == 0);
  }

  /**
   * Logs a request.
   *
   * @param key the label of its key
   * @param agent its User-Agent; null when it has none
   * @param nanos from the end of its head to its answer
   */
  void log(
      HttpRequest request, int status, String key, @Nullable String agent, long nanos, int sent) {
    Route route = request.route;
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("method", request.head.method().name()));
    fields.add(new Field("path", request.path));
    if (route != null) {
      fields.add(new Field("route", route.path()));
    }
    fields.add(new Field("status", status));
    fields.add(new Field("ms", Math.round(nanos / NANOS_IN_MICRO) / MICROS_IN_MILLI));
    fields.add(new Field("received", request.received()));
    fields.add(new Field("sent", sent));
    fields.add(new Field("key", key));
    InetAddress client = request.clientAddress();
    if (client != null) {
      fields.add(new Field("client", client.getHostAddress()));
    }
    if (agent != null) {
      fields.add(new Field("agent", agent.substring(0, Math.min(agent.length(), AGENT_CHARS_MAX))));
    }
    lines.info("request", fields);
  }
}
