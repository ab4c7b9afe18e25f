/**
 * Redis: one client for all parts that want it. No other package knows the driver.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>Nothing is connected before it is needed, and nothing that was sent is sent again: a
 *       connection that broke or did not answer in time is thrown away with all that is on it, and
 *       the next call opens another. (The driver's own reconnecting would repeat what was under
 *       way, and so move a batch behind its successors.)
 *   <li>Without a connection a call opens one, for no longer than it may take; nothing waits for
 *       better times.
 *   <li>No command is sent from a thread of the driver's: in a cluster the driver holds the sender
 *       until it has the connections to the nodes, and those threads open them.
 *   <li>What goes wrong is a {@link gilmok.redis.RedisReply.Fault}: a value, not an exception.
 *   <li>The password stands in no text that leaves this package.
 * </ul>
 */
@NullMarked
package gilmok.redis;

import org.jspecify.annotations.NullMarked;
