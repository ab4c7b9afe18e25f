/**
 * Shipping: every record of the log reaches every sink, or is accounted for.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>A sink pulls. Collecting neither waits for sinks nor knows of them.
 *   <li>A record that a destination has acknowledged is not sent again because its neighbour
 *       failed.
 *   <li>A record is settled when it is delivered, quarantined, skipped or found to be erased from
 *       the log, and never otherwise; after a restart, unsettled records are read again from the
 *       log.
 *   <li>Delivered records are counted at the destination's acknowledgement, not at the sending, so
 *       that the {@link gilmok.sinks.Ledger} can show what does not add up.
 *   <li>Everything has a bound: records and bytes of a batch, batches in flight, the wait between
 *       two attempts, ranges that were settled out of order, receipts.
 * </ul>
 *
 * <h2>The way of a batch</h2>
 *
 * A {@link gilmok.sinks.Shipper} reads the log from its sink's cursor on and gathers the records of
 * the sink's streams into a {@link gilmok.sinks.Batch}, up to a number of records, a size or an
 * age. It hands the batch to a {@link gilmok.sinks.BatchSender}, of which a bounded number run at
 * once. The sender calls the {@link gilmok.sinks.Sink} and obeys its {@link gilmok.sinks.Verdict}:
 * the records are settled, sent again after a pause, whole or in part, or quarantined. The cursor's
 * low-water mark follows the oldest unsettled record. Settled records above the mark are kept as
 * ranges, so that a restart does not send them again.
 *
 * <h2>The account</h2>
 *
 * A sink's {@link gilmok.sinks.SinkCheckpoint} is kept as the note of its cursor {@code
 * ship.<name>}. The mark, the settled ranges and the counts change together and become durable
 * together, once each interval, after the receipts were forced. So after a crash all of them are of
 * the same moment, and records acknowledged since are sent again. A rewind begins a new account.
 *
 * <p>When a full log is set to detach, it moves the mark past the records that are not in flight:
 * they are skipped. Records in flight then wait below the mark until they are settled. If they are
 * given up, or the process ends, they count as skipped as well, as the log may no longer have them.
 * So receipts that say skipped are written for all of these, and are durable, before the mark
 * moves; a record that arrives gets a newer one.
 *
 * <p>Dead letters, the records that a sink refuses for good, go to the log, which may be full of
 * records that wait for this very sink. If it has no room, such a record becomes one of the {@link
 * gilmok.sinks.PendingDeadLetters}: it is kept in the cursor's note, counts as settled, and is
 * appended once there is room, also after a restart. The note takes 256 records and 256 KiB. Beyond
 * that, a refused record waits, and the sink's fault gives the reason. If a log is full of more of
 * them than the note takes, {@code log.bytes-max} has to be raised, the destination repaired, or
 * the sink forgotten.
 *
 * <h2>A record at fault, or the destination</h2>
 *
 * {@link gilmok.sinks.Verdict.Refused} does not tell whether a record is at fault or the
 * destination: Firehose answers {@code InvalidArgumentException} to both. A record at fault must be
 * quarantined, or it would block all others for ever. When the destination is at fault, no record
 * may be quarantined, or all would be. Only the destination's other answers tell the two apart, so
 * those are the evidence ({@link gilmok.sinks.RefusalBreaker}):
 *
 * <table>
 * <caption>States of a sink's breaker</caption>
 * <tr><th>state</th><th>what is sent</th><th>it ends when</th></tr>
 * <tr><td>closed</td><td>everything</td><td>a batch is refused as a whole, and nothing was taken
 *     since it was sent: doubt</td></tr>
 * <tr><td>doubt</td><td>that batch's halves, down to single records; other senders wait</td>
 *     <td>anything is taken: closed. Three records were refused alone: held</td></tr>
 * <tr><td>held</td><td>one record after each pause, in turns one that is in flight (any of them)
 *     and one that is not yet; shown as broken from the second pause on</td><td>one is taken:
 *     closed</td></tr>
 * </table>
 *
 * <p>A record is quarantined when it was refused alone, the destination then took another record
 * (or took others of the same batch), and it is refused alone again while the sink is not held. So
 * a destination that refuses everything costs no record. One that turns bad at the very moment in
 * which a record is judged costs at most three.
 *
 * <p>There are four special cases. The only record left is quarantined as well, if later ones were
 * taken; but if no record comes after it, it waits, and the sink with it, as the next record is the
 * evidence. A replayed record that is refused alone returns to the quarantine at once: it was
 * judged before. So was the quarantine's copy of a record that this very sink refused, if the sink
 * ships the quarantine too: unless the sink is held, the copy is quarantined at once, and is no
 * evidence against the destination. A sink that throws three times for one batch counts as refusing
 * it.
 *
 * <p>None of this is kept over a restart, which begins closed and finds out again, with a dozen
 * calls. In a sink that keeps order, a record that was refused alone is overtaken by the records
 * that are probed after it, and by none before that.
 *
 * <h2>After an error</h2>
 *
 * A sink's loop ends only when it is stopped. After a bug or a damaged log it pauses and reads
 * everything anew, again and again; the sink is shown as broken until something succeeds.
 *
 * <h2>Threads and locks</h2>
 *
 * Each sink has one thread for its {@link gilmok.sinks.SinkLoop}, which reads and batches, and one
 * for each {@link gilmok.sinks.BatchSender} under way, all of {@link gilmok.background.LowPriority
 * low priority}, so that requests of phones go first. Locks are taken in this order: the lock for
 * sending to an ordered sink or asking it for held records; the lock for writing the cursor ({@link
 * gilmok.sinks.SinkCursor}); the account ({@link gilmok.sinks.SinkState}); the lock for writing
 * receipts.
 *
 * <h2>A sink that is awaited</h2>
 *
 * <p>Requests may wait for one sink's acknowledgement ({@link gilmok.sinks.AckWaits}). Its loop
 * reads records when they are written, while they are being forced, sends what it has whenever a
 * sender is free, and has normal priority, as its senders have; another thread saves its
 * checkpoint, and only when all that is settled in it is durable ({@link gilmok.sinks.DurableEnd}).
 * Those who wait are guarded by the account's lock, and are told after it is given back.
 *
 * <h2>Order</h2>
 *
 * A sink that {@link gilmok.sinks.Sink#isOrdered keeps order} is sent one batch at a time, in the
 * log's order, a retried one before the next: a rider's records arrive in the order in which they
 * were collected. Files and Redis keep order. Firehose does not: batches overtake one another.
 */
@NullMarked
package gilmok.sinks;

import org.jspecify.annotations.NullMarked;
