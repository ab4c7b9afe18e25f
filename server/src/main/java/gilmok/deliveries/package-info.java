/**
 * Deliveries: orders on their way, from creation to their end, and the events that the log and
 * partners get of them.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>A delivery's state and version never go back. Each change is one event; the version counts
 *       them from 1 at creation, and is the {@code sequence} in webhooks.
 *   <li>What an answer says is durable before it is sent.
 *   <li>A delivery and its pending events change in one atomic step. So no event is sent that did
 *       not happen, and none that happened is lost.
 *   <li>A refusal is a value: no exception, no log line.
 * </ul>
 *
 * <p>{@link gilmok.deliveries.Lifecycle} decides on moves, without clock, storage or threads. A
 * {@link gilmok.deliveries.DeliveryStore} stores deliveries. An {@link gilmok.deliveries.Outbox}
 * holds the pending events.
 */
@NullMarked
package gilmok.deliveries;

import org.jspecify.annotations.NullMarked;
