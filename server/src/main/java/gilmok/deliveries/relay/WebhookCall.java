package gilmok.deliveries.relay;

import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a webhook. Immutable: nobody changes the body.
 *
 * @param id the header {@code webhook-id}
 * @param seconds the header {@code webhook-timestamp}: the time of the attempt, epoch seconds
 * @param signature the header {@code webhook-signature}
 * @param traceparent the header of that name; null for none
 * @param attempt how many attempts have failed before; each tries the next of the host's addresses
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record WebhookCall(
    WebhookTarget target,
    String id,
    long seconds,
    String signature,
    byte[] body,
    @Nullable String traceparent,
    int attempt) {}
