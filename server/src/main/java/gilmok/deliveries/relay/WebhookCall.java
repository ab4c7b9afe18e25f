package gilmok.deliveries.relay;

/**
 * One attempt to tell a partner. Immutable: nobody changes the body.
 *
 * @param id the header {@code webhook-id}
 * @param seconds the header {@code webhook-timestamp}: when it is made, epoch seconds
 * @param signature the header {@code webhook-signature}
 * @param attempt how many have failed before it: each tries the next of the name's addresses
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record WebhookCall(
    WebhookTarget target, String id, long seconds, String signature, byte[] body, int attempt) {}
