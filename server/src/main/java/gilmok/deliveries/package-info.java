/**
 * Deliveries: orders on their way, from creation to their end, and the telling of partners.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>A delivery's state and version never go back. Each change is one event; the version counts
 *       them from 1 at creation, and is the {@code sequence} that partners are told.
 *   <li>What an answer says is durable before it is given.
 *   <li>A delivery and what is still to be told of it change in one atomic step, so nothing is told
 *       that did not happen and nothing that happened is left untold.
 *   <li>A refusal is a value: no exception, no log line.
 * </ul>
 *
 * <p>{@link gilmok.deliveries.Lifecycle} decides, without clock, storage or threads; a {@link
 * gilmok.deliveries.DeliveryStore} keeps; {@link gilmok.deliveries.Outbox} says what is untold.
 */
@NullMarked
package gilmok.deliveries;

import org.jspecify.annotations.NullMarked;
