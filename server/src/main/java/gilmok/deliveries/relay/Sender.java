package gilmok.deliveries.relay;

/** Sends calls. */
@FunctionalInterface
interface Sender {
  /** Sends one and waits for its outcome, for a bounded time. From any thread that may block. */
  Outcome send(Call call) throws InterruptedException;
}
