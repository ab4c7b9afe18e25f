/**
 * The relay: sends shops and agencies the events of their deliveries, by webhooks after the
 * Standard Webhooks specification.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>No event is lost: the outbox changes with the delivery, in one atomic step, and an event is
 *       marked as sent only after the partner's 2xx. So every event is sent at least once, always
 *       under the same id.
 *   <li>The events of a delivery are sent in order: the next one goes when the one before was sent,
 *       became a dead letter or is not subscribed to. One node at a time sends a delivery's
 *       webhooks; it holds the shard's lease for longer than a call can take.
 *   <li>A partner that fails, hangs or is overloaded does not slow the others: it has a limit of
 *       calls at a time, a short queue and a circuit breaker. What does not fit waits in the
 *       outbox.
 *   <li>An open breaker, a full queue and a timeout are values, not exceptions.
 * </ul>
 *
 * <h2>The path of a webhook</h2>
 *
 * <p>{@link gilmok.deliveries.relay.OutboxPoller} polls the shards for due deliveries and hands
 * each to its partner's {@link gilmok.deliveries.relay.PartnerBulkhead}. On a virtual thread {@link
 * gilmok.deliveries.relay.WebhookDispatcher} sends a delivery's events one by one and notes the
 * outcomes. {@link gilmok.deliveries.relay.HttpWebhookSender} makes the calls, only to addresses
 * that {@link gilmok.deliveries.relay.AddressGuard} allows.
 */
@NullMarked
package gilmok.deliveries.relay;

import org.jspecify.annotations.NullMarked;
