/**
 * The relay: tells shops and agencies of their deliveries, by webhooks after the Standard Webhooks
 * specification.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>Nothing is lost: the outbox changes with the delivery, in one atomic step, and is only
 *       marked as told after the partner's 2xx. So everything is told at least once, under an id
 *       that stays the same.
 *   <li>In order for each delivery: its next event goes when the one before was told, set aside or
 *       is not wanted. A delivery is told by one node at a time, which holds its shard's lease for
 *       longer than a call can take.
 *   <li>A partner that fails, hangs or drowns costs the others nothing: it has so many calls at a
 *       time, a short queue, and a breaker. What does not fit waits in the outbox, not here.
 *   <li>A breaker that is open, a queue that is full and a call that takes too long are values, not
 *       exceptions.
 * </ul>
 *
 * <h2>The way of a telling</h2>
 *
 * <p>{@link gilmok.deliveries.relay.OutboxPoller} goes round the shards, takes what is due and
 * gives it to the partner's {@link gilmok.deliveries.relay.PartnerBulkhead}. On a virtual thread
 * {@link gilmok.deliveries.relay.WebhookDispatcher} tells a delivery's events one by one and notes
 * what became of them. {@link gilmok.deliveries.relay.HttpWebhookSender} sends, to addresses that
 * {@link gilmok.deliveries.relay.AddressGuard} lets through.
 */
@NullMarked
package gilmok.deliveries.relay;

import org.jspecify.annotations.NullMarked;
