package gilmok.retention;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The metrics of archiving and removing old documents of one kind. Thread-safe. */
final class RemovalMeters {
  /** The cause of those that cannot be read. */
  private static final String UNREADABLE = "unreadable";

  final Counter archived;
  final Counter removed;
  final Counter deferred;
  final Histogram stepSeconds;
  private final Map<String, AtomicLong> overdue = new HashMap<>();
  private volatile long lagMillis;

  /**
   * @param kind of the documents, as names of metrics have it
   * @param causes why some stay
   */
  RemovalMeters(Meters meters, String kind, List<String> causes) {
    String prefix = "gilmok_" + kind;
    archived =
        meters.counter(prefix + "_archived_total", "Documents that were written to the archive.");
    removed = meters.counter(prefix + "_removed_total", "Archived documents that were removed.");
    deferred =
        meters.counter(
            prefix + "_removal_deferred_total",
            "Steps of archiving and removing that were put off under load, or as the store was"
                + " behind.");
    stepSeconds = meters.seconds(prefix + "_removal_seconds", "One step of removing documents.");
    causes.forEach(cause -> overdue(meters, prefix, cause));
    overdue(meters, prefix, UNREADABLE);
    meters.gauge(
        "gilmok_documents_removal_lag_seconds",
        "By how much what is to be removed next has outlived its keep.",
        () -> lagMillis / 1000.0,
        "kind",
        kind);
  }

  private void overdue(Meters meters, String prefix, String cause) {
    AtomicLong count = new AtomicLong();
    overdue.put(cause, count);
    meters.gauge(
        prefix + "_overdue",
        "Documents over their keep that stay, as of the last look at all.",
        count::get,
        "cause",
        cause);
  }

  /** What the last look has found to stay, by cause, and what it could not read. */
  void overdue(Map<String, Integer> stay, int unreadable) {
    overdue.forEach(
        (cause, count) ->
            count.set(cause.equals(UNREADABLE) ? unreadable : stay.getOrDefault(cause, 0)));
  }

  /** How long what is removed next has been old enough. */
  void lag(long millis) {
    lagMillis = Math.max(0, millis);
  }
}
