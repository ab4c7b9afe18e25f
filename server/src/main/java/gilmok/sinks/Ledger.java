package gilmok.sinks;

import gilmok.log.Log;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The ledger: the account of all records, accepted by the log and settled at each sink.
 *
 * <p>The log counts the accepted records, the sinks count what became of them. So the two can
 * differ, and {@link LedgerRow#residue} is the difference. Thread-safe.
 */
public final class Ledger {
  private static final int ATTEMPTS_MAX = 10;

  private final Log log;
  private final Supplier<Map<String, SinkState>> accounts;

  /** A ledger of all accounts by the sinks' names; the supplier is called for each reading. */
  Ledger(Log log, Supplier<Map<String, SinkState>> accounts) {
    this.log = log;
    this.accounts = accounts;
  }

  /**
   * One row for each sink and each of its streams, as of now. Reads a part of the log, so it may
   * block.
   *
   * @throws UncheckedIOException when the log cannot be read
   */
  public List<LedgerRow> rows() {
    List<LedgerRow> rows = new ArrayList<>();
    accounts.get().forEach((sink, account) -> rows.addAll(rows(sink, log, account)));
    return rows;
  }

  /** The rows of one sink. */
  static List<LedgerRow> rows(String sink, Log log, SinkState account) {
    for (int attempt = 1; ; attempt++) {
      LedgerTotals standing = account.standing();
      try {
        return rows(sink, log, standing);
      } catch (IllegalArgumentException gone) {
        // The log deleted records that the mark had passed meanwhile; the mark has moved, so try
        // again.
        if (attempt == ATTEMPTS_MAX || account.low() == standing.low()) {
          throw gone;
        }
      } catch (IOException cannot) {
        throw new UncheckedIOException(cannot);
      }
    }
  }

  private static List<LedgerRow> rows(String sink, Log log, LedgerTotals standing)
      throws IOException {
    StreamCounts passed = log.acceptedThrough(standing.low());
    // Read last, so that it includes every settled record.
    StreamCounts accepted = log.accepted();
    List<LedgerRow> rows = new ArrayList<>();
    for (Stream stream : Stream.values()) {
      long since = standing.counts().since().of(stream);
      if (since > 0) {
        long before = standing.counts().before().of(stream);
        long settledBelow = since > standing.low() ? before : passed.of(stream);
        long waiting =
            accepted.of(stream)
                - settledBelow
                - standing.settledAbove().of(stream)
                + standing.counts().below().of(stream);
        rows.add(
            new LedgerRow(
                sink,
                stream,
                since,
                accepted.of(stream) - before,
                waiting,
                LedgerRow.Settled.of(standing.counts(), stream)));
      }
    }
    return rows;
  }

  /** How many records a sink has not settled. */
  static long waiting(String sink, Log log, SinkState account) {
    return rows(sink, log, account).stream().mapToLong(LedgerRow::waiting).sum();
  }
}
