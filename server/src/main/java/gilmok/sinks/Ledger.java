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
 * The account of all records: what was accepted, and what became of it at each sink.
 *
 * <p>What was accepted is the log's count, what became of it the sinks'. So they need not agree,
 * and where they do not, {@link LedgerRow#residue} says by how much. Thread-safe.
 */
public final class Ledger {
  private static final int ATTEMPTS_MAX = 10;

  private final Log log;
  private final Supplier<Map<String, SinkState>> accounts;

  /** A ledger of all accounts, by the sinks' names, that there are when it is asked. */
  Ledger(Log log, Supplier<Map<String, SinkState>> accounts) {
    this.log = log;
    this.accounts = accounts;
  }

  /**
   * A row for each sink and each of its streams, as of now. Reads a part of the log: may block.
   *
   * @throws UncheckedIOException when the log cannot be read
   */
  public List<LedgerRow> rows() {
    List<LedgerRow> rows = new ArrayList<>();
    accounts.get().forEach((sink, account) -> rows.addAll(rows(sink, log, account)));
    return rows;
  }

  /** One sink's rows. */
  static List<LedgerRow> rows(String sink, Log log, SinkState account) {
    for (int attempt = 1; ; attempt++) {
      LedgerTotals standing = account.standing();
      try {
        return rows(sink, log, standing);
      } catch (IllegalArgumentException gone) {
        // The log was let go of what the mark has passed meanwhile; the mark stands elsewhere now.
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
    // Asked last: what is settled was accepted.
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
                standing.counts().delivered().of(stream),
                waiting,
                standing.counts().quarantined().of(stream),
                standing.counts().skipped().of(stream),
                standing.counts().lost().of(stream)));
      }
    }
    return rows;
  }

  /** How many records a sink has not settled. */
  static long waiting(String sink, Log log, SinkState account) {
    return rows(sink, log, account).stream().mapToLong(LedgerRow::waiting).sum();
  }
}
