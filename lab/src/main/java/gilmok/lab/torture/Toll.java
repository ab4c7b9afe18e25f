package gilmok.lab.torture;

import java.util.Set;

/**
 * The losses that a damage may cause, as docs/operating.md says. A document, or an acknowledged
 * record that is not at every sink, may never be lost.
 *
 * @param positions the latest positions of riders who have sent nothing since the log's oldest
 *     record
 * @param accounts the sinks whose account begins anew
 * @param oldest whether the ledger may count the unread part of the oldest segment as lost
 */
record Toll(boolean positions, Set<String> accounts, boolean oldest) {
  static final Toll NONE = new Toll(false, Set.of(), false);
}
