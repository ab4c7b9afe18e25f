package gilmok.sinks;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The rows of a ledger, cached for the length of a scrape. Thread-safe. */
final class LedgerCache {
  private static final long KEPT_NANOS = Duration.ofMillis(250).toNanos();

  private List<LedgerRow> rows = List.of();
  private long atNanos;

  synchronized List<LedgerRow> rows(Supplier<List<LedgerRow>> now) {
    if (rows.isEmpty() || System.nanoTime() - atNanos >= KEPT_NANOS) {
      rows = now.get();
      atNanos = System.nanoTime();
    }
    return rows;
  }
}
