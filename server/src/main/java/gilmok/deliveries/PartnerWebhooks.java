package gilmok.deliveries;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks of one partner in the {@link Outbox}, as lists show them, and what is done with them
 * by hand. Changes are durable on return. Thread-safe; calls block.
 */
public interface PartnerWebhooks {
  /**
   * Lists a partner's webhooks: what waits, what was given up, and what was sent, as far back as
   * attempts are kept. The newest delivery first, within a delivery the highest sequence first.
   *
   * @param state only this state; null for all
   * @param before only deliveries whose id sorts before this; null for the first page
   * @param limit 1 to 1,000 deliveries; a delivery's entries are never split, so that there may be
   *     more entries, or fewer where a delivery has none
   */
  WebhookState.Page page(
      Partner partner, WebhookState.@Nullable State state, @Nullable String before, int limit)
      throws IOException, InterruptedException;

  /** How many of a partner's deliveries have events that it was not sent; at most {@code max}. */
  int waiting(OutboxReader reader, String partnerId, int max)
      throws IOException, InterruptedException;

  /**
   * Notes an attempt to send an event once more, outside of the order. A dead letter that the
   * partner has accepted is one no longer.
   */
  void redelivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt)
      throws IOException, InterruptedException;

  /**
   * Makes due now all of a partner's deliveries that wait for a retry.
   *
   * @return how many did
   */
  long retryNow(OutboxReader reader, String partnerId, long nowMillis)
      throws IOException, InterruptedException;

  /**
   * Replays: a partner is sent again all events of its deliveries created at that time or later,
   * also those that were given up.
   *
   * @return how many deliveries are due again
   */
  long replay(OutboxReader reader, String partnerId, long fromMillis)
      throws IOException, InterruptedException;
}
