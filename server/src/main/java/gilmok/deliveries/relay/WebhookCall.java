package gilmok.deliveries.relay;

/** One attempt to tell a partner. Immutable: nobody changes the body. */
final class WebhookCall {
  private final WebhookTarget target;
  private final String id;
  private final long seconds;
  private final String signature;
  private final byte[] body;
  private final int attempt;

  WebhookCall(
      WebhookTarget target, String id, long seconds, String signature, byte[] body, int attempt) {
    this.target = target;
    this.id = id;
    this.seconds = seconds;
    this.signature = signature;
    this.body = body;
    this.attempt = attempt;
  }

  WebhookTarget target() {
    return target;
  }

  /** The header {@code webhook-id}. */
  String id() {
    return id;
  }

  /** The header {@code webhook-timestamp}: when it is made, epoch seconds. */
  long seconds() {
    return seconds;
  }

  /** The header {@code webhook-signature}. */
  String signature() {
    return signature;
  }

  byte[] body() {
    return body;
  }

  /** How many have failed before it: each tries the next of the name's addresses. */
  int attempt() {
    return attempt;
  }
}
