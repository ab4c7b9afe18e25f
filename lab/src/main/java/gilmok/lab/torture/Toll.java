package gilmok.lab.torture;

import java.util.Set;

/**
 * What a damage may have cost, as docs/operating.md says. Never a record that was acknowledged and
 * is not at every sink, never a document.
 *
 * @param positions the latest of riders who have not sent since the log's oldest record
 * @param accounts the sinks whose account begins anew
 * @param oldest the ledger may count as lost what some had not read of the log's oldest records
 */
record Toll(boolean positions, Set<String> accounts, boolean oldest) {
  static final Toll NONE = new Toll(false, Set.of(), false);
}
