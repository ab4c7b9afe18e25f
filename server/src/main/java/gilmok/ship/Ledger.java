package gilmok.ship;

import java.util.List;

/** The account of all records: what was accepted, and what became of it at each sink. */
@SuppressWarnings("DoNotCallSuggester") // until it is all there
public final class Ledger {
  /** A row for each sink and each of its streams, as of now. Reads a part of the log: may block. */
  public List<LedgerRow> rows() {
    throw new UnsupportedOperationException();
  }
}
