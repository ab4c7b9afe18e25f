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
 *       that the {@link gilmok.sinks.Ledger} can show what does not add up.
 *   <li>Everything has a bound: records and bytes of a batch, batches in flight, the wait between
 *       two attempts, ranges that were settled out of order, receipts.
 * </ul>
 *
 * <h2>The way of a batch</h2>
 *
 * A {@link gilmok.sinks.Shipper} reads the log from its sink's cursor on, gathers the records of
 * the sink's streams into a {@link gilmok.sinks.Batch} until it has so many, so large or is so old,
 * and hands it to a delivery of its own, at most so many at once. The delivery asks the {@link
 * gilmok.sinks.Sink} to send and obeys the {@link gilmok.sinks.Verdict}: settled, or again after a
 * pause, whole or in part, or set aside. The cursor's low-water mark follows the oldest record that
 * is not settled; what is settled above it is kept as ranges, so that a restart does not send it
 * again.
 *
 * <h2>The account</h2>
 *
 * A sink's {@link gilmok.sinks.SinkCheckpoint} is kept as the note of its cursor {@code
 * ship.<name>}: the mark, the settled ranges and the counts change together, and are durable
 * together, once each interval and with the receipts forced before. After a crash all of them are
 * those of the same moment, and what was acknowledged since is sent again. Rewinding begins the
 * account anew.
 *
 * <p>A full log that is told to detach moves the mark on past what is not on its way; that is
 * skipped. What is on its way then waits below the mark until it is settled; if it is given up, or
 * the process ends, it is counted as skipped as well: the log may have it no more. So the receipts
 * of all of it say skipped, and are durable, before the mark moves; what arrives gets a newer one.
 *
 * <p>What a sink refuses for good goes to the log, which may be full of what waits for this very
 * sink. So where it has no room, the record is {@link gilmok.sinks.PendingDeadLetters}: kept in the
 * cursor's note, settled, and appended once there is room, also after a restart. The note takes 256
 * records and 256 KiB; behind that a refused record waits, and the sink's fault says for what. A
 * log full of more of these than the note takes needs a larger {@code log.bytes-max}, a mended
 * destination, or the sink forgotten.
 *
 * <h2>A record at fault, or the destination</h2>
 *
 * A destination that says {@link gilmok.sinks.Verdict.Refused} does not say whether a record is at
 * fault or the destination itself: Firehose answers {@code InvalidArgumentException} to both. The
 * one must be set aside, or a phone's bad record would stand in front of all others for ever; of
 * the other nothing may be, or everything would be. Only the destination's other answers tell them
 * apart, so those are what counts ({@link gilmok.sinks.RefusalBreaker}):
 *
 * <table>
 * <caption>States of a sink's breaker</caption>
 * <tr><th>state</th><th>what is sent</th><th>it ends when</th></tr>
 * <tr><td>closed</td><td>everything</td><td>a batch is refused as a whole, and nothing was taken
 *     since it was sent: doubt</td></tr>
 * <tr><td>doubt</td><td>that batch's halves, down to single records; other deliveries wait</td>
 *     <td>anything is taken: closed. Three records were refused alone: held</td></tr>
 * <tr><td>held</td><td>one record after each pause: in turns one of those that are on their way,
 *     any, and one that is not yet; shown as broken from the second pause on</td><td>one is taken:
 *     closed</td></tr>
 * </table>
 *
 * <p>A record is set aside when it was refused alone, the destination took another after that (or
 * took others of the same batch), and it is refused alone again while the sink is not held. So a
 * destination that refuses everything costs no record, and one that turns bad in the very moment in
 * which a record is judged at most three. A record that is the only one left, while later ones were
 * taken, is set aside as well. One with nobody behind it waits, and the sink with it, until the
 * next one comes: that is the evidence. Nothing of this is kept over a restart, which begins closed
 * and finds out again, with a dozen calls. A record that is sent once more (a replay) and refused
 * alone goes back at once: it has been judged. So has the quarantine's copy of a record that this
 * very sink refused, where it is shipped too: unless the sink is held, it is set aside at once, and
 * is no evidence against the destination. A sink that throws three times over one batch is taken to
 * refuse it.
 *
 * <p>In a sink that keeps order, a record that was refused alone is overtaken by those that are
 * tried behind it, and by none before that.
 *
 * <h2>After an error</h2>
 *
 * Nothing ends a sink's loop but its stop. After a bug or a damaged log everything is read anew
 * after a pause, again and again; the sink is shown as broken until something succeeds.
 *
 * <h2>Threads and locks</h2>
 *
 * Each sink has one thread for its {@link gilmok.sinks.SinkLoop}, which reads and batches, and one
 * for each {@link gilmok.sinks.BatchSender} under way, all of {@link gilmok.background.LowPriority
 * low priority}: what phones need goes first. Locks are taken in this order: who sends to an
 * ordered sink or asks it for what it holds; who writes the cursor ({@link
 * gilmok.sinks.SinkCursor}); the account ({@link gilmok.sinks.SinkState}); who writes receipts.
 *
 * <h2>Order</h2>
 *
 * A sink that {@link gilmok.sinks.Sink#isOrdered keeps order} is sent one batch at a time, in the
 * log's order, a retried one before the next: a rider's records arrive in the order in which they
 * were collected. Files and Redis are such. Firehose is not: batches overtake one another there.
 */
@NullMarked
package gilmok.sinks;

import org.jspecify.annotations.NullMarked;
