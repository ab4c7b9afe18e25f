/**
 * Redis: one client for all parts that use it. No other package uses the driver.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>Connections open on first use, and no command is resent. A connection that broke or did not
 *       answer in time is dropped with all commands in flight, and the next call opens another.
 *       (The driver's own reconnecting would resend those commands, and so move a batch behind its
 *       successors.)
 *   <li>A call without a connection opens one, within its timeout; no call is queued until Redis is
 *       back.
 *   <li>No command is sent from the driver's threads: in a cluster the driver blocks the sender
 *       until the connections to the nodes are open, and those threads open them.
 *   <li>A failure is a {@link gilmok.redis.RedisReply.Fault}: a value, not an exception.
 *   <li>No text that leaves this package contains the password.
 * </ul>
 */
@NullMarked
package gilmok.redis;

import org.jspecify.annotations.NullMarked;
