package gilmok.deliveries.relay;

/** Sends webhook calls. Thread-safe. */
@FunctionalInterface
interface WebhookSender {
  /** Sends a call and waits for its outcome, for a limited time. Blocks. */
  WebhookOutcome send(WebhookCall call) throws InterruptedException;
}
