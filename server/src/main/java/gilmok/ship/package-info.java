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
 * <h2>Order</h2>
 *
 * A sink that {@link gilmok.ship.Sink#isOrdered keeps order} is sent one batch at a time, in the
 * log's order, a retried one before the next: a rider's records arrive in the order in which they
 * were collected. Files and Redis are such. Firehose is not: batches overtake one another there.
 */
@NullMarked
package gilmok.ship;

import org.jspecify.annotations.NullMarked;
