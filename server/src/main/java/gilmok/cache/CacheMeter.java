package gilmok.cache;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.util.function.DoubleSupplier;

/** The metrics of one cache, labelled with its name. Thread-safe. */
final class CacheMeter {
  private final Meters meters;
  private final String cache;
  final Counter hits;
  final Counter stale;
  final Counter misses;
  final Counter waits;
  final Counter loads;
  final Counter early;
  final Counter failures;
  final Counter busy;
  final Counter skipped;
  final Counter forgotten;
  final Counter dropped;
  final Counter droppedAll;
  final Counter sharedHits;
  final Counter sharedMisses;
  final Counter sharedFaults;
  final Counter leasesTaken;
  final Histogram loadSeconds;

  CacheMeter(Meters meters, String cache) {
    this.meters = meters;
    this.cache = cache;
    hits = counter("hits_total", "Requests answered at once, stale values included.");
    stale = counter("stale_total", "Requests answered with a stale value.");
    misses = counter("misses_total", "Requests not answered at once.");
    waits = counter("waits_total", "Requests that waited for the load of another.");
    loads = counter("loads_total", "Times the source was asked.");
    early = counter("early_refreshes_total", "Refreshes begun before the value expired.");
    failures = counter("load_failures_total", "Loads that failed.");
    busy = counter("busy_total", "Requests refused: too many loads or waiters.");
    skipped = counter("refreshes_skipped_total", "Refreshes deferred: too many loads.");
    forgotten = counter("forgotten_total", "Keys forgotten after a change.");
    dropped = counter("dropped_total", "Keys dropped as another process changed them.");
    droppedAll =
        counter(
            "dropped_all_total",
            "Times that all keys were dropped, as changes of other processes may have been missed.");
    sharedHits = counter("shared_hits_total", "Values taken from Redis.");
    sharedMisses = counter("shared_misses_total", "Leases granted: this process loads for all.");
    sharedFaults = counter("shared_faults_total", "Loads for which Redis did not answer.");
    leasesTaken = counter("leases_taken_total", "Loads that waited for another process.");
    loadSeconds = meters.seconds(name("load_seconds"), "One load that succeeded.", "cache", cache);
  }

  private static String name(String last) {
    return "gilmok_cache_" + last;
  }

  private Counter counter(String last, String help) {
    return meters.counter(name(last), help, "cache", cache);
  }

  /** Registers a gauge and, as {@code NAME_max}, its upper bound. */
  void gauge(String last, String help, DoubleSupplier value, double max) {
    meters.gauge(name(last), help, value, "cache", cache);
    meters.gauge(name(last + "_max"), "The bound of that.", () -> max, "cache", cache);
  }

  /** Registers a gauge. */
  void gauge(String last, String help, DoubleSupplier value) {
    meters.gauge(name(last), help, value, "cache", cache);
  }
}
