package gilmok.deliveries.relay;

/** Sends calls. */
@FunctionalInterface
interface WebhookSender {
  /** Sends one and waits for its outcome, for a bounded time. From any thread that may block. */
  WebhookOutcome send(WebhookCall call) throws InterruptedException;
}
