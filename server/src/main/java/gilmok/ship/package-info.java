/**
 * Shipping: every record of the log reaches every sink, or is accounted for.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>A sink pulls. Nobody who collects waits for it, or knows of it.
 *   <li>What a destination has acknowledged is not sent again because its neighbour failed.
 *   <li>A record is settled when it is delivered, set aside or skipped, and never otherwise; what
 *       is not settled is read again from the log after a restart.
 *   <li>What is delivered is counted at the destination's acknowledgement, not at the sending, so
 *       that the {@link gilmok.ship.Ledger} can show what does not add up.
 *   <li>Everything has a bound: records and bytes of a batch, batches in flight, the wait between
 *       two attempts, ranges that were settled out of order, receipts.
 * </ul>
 *
 * <h2>The way of a batch</h2>
 *
 * A {@link gilmok.ship.Shipper} reads the log from its sink's cursor on, gathers the records of the
 * sink's streams into a {@link gilmok.ship.Batch} until it has so many, so large or is so old, and
 * hands it to a delivery of its own, at most so many at once. The delivery asks the {@link
 * gilmok.ship.Sink} to send and obeys the {@link gilmok.ship.Verdict}: settled, or again after a
 * pause, whole or in part, or set aside. The cursor's low-water mark follows the oldest record that
 * is not settled; what is settled above it is kept as ranges, so that a restart does not send it
 * again.
 *
 * <h2>The account</h2>
 *
 * A sink's {@link gilmok.ship.Progress} is kept as the note of its cursor {@code ship.<name>}: the
 * mark, the settled ranges and the counts change together, and are durable together, once each
 * interval and with the receipts forced before. After a crash all of them are those of the same
 * moment, and what was acknowledged since is sent again. Rewinding begins the account anew.
 *
 * <p>A full log that is told to detach moves the mark on past what is not on its way; that is
 * skipped. What is on its way then waits below the mark until it is settled; if it is given up, or
 * the process ends, it is counted as skipped as well: the log may have it no more. Receipts tell of
 * what is skipped, but for what was on its way then when the process ended.
 *
 * <p>What a sink refuses for good goes to the log, which may be full of what waits for this very
 * sink. So where it has no room, the record is {@link gilmok.ship.Noted}: kept in the cursor's
 * note, settled, and appended once there is room, also after a restart. The note takes 256 records
 * and 256 KiB; behind that a refused record waits, and the sink's fault says for what. A log full
 * of more of these than the note takes needs a larger {@code log.bytes-max}, a mended destination,
 * or the sink forgotten.
 *
 * <h2>Threads and locks</h2>
 *
 * Each sink has one thread for its {@link gilmok.ship.SinkLoop}, which reads and batches, and one
 * for each {@link gilmok.ship.Delivery} under way, all of {@link gilmok.ship.LowPriority low
 * priority}: what phones need goes first. Locks are taken in this order: who sends to an ordered
 * sink or asks it for what it holds; who writes the cursor ({@link gilmok.ship.SinkCursor}); the
 * account ({@link gilmok.ship.SinkAccount}); who writes receipts.
 *
 * <h2>Order</h2>
 *
 * A sink that {@link gilmok.ship.Sink#isOrdered keeps order} is sent one batch at a time, in the
 * log's order, a retried one before the next: a rider's records arrive in the order in which they
 * were collected. Files and Redis are such. Firehose is not: batches overtake one another there.
 */
@NullMarked
package gilmok.ship;

import org.jspecify.annotations.NullMarked;
