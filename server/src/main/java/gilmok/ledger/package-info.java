/**
 * The ledger over HTTP: the account of all records, receipts, the quarantine and the sinks.
 *
 * <p>Everything here reads files or waits for them, so it runs on virtual threads, a bounded number
 * at once. How much of the log one request reads is bounded, too. Collecting and shipping never
 * wait for it.
 */
@NullMarked
package gilmok.ledger;

import org.jspecify.annotations.NullMarked;
