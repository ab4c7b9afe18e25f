/**
 * The account over HTTP: the ledger, receipts, the quarantine and the sinks.
 *
 * <p>Everything here reads files or waits for them, so it runs on virtual threads, a bounded number
 * at once; what one request reads of the log is bounded, too. Collecting and shipping wait for none
 * of it.
 */
@NullMarked
package gilmok.ledger;

import org.jspecify.annotations.NullMarked;
