package gilmok.sinks;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What all batch senders of one sink share.
 *
 * @param sinkLock held while sending to an ordered sink and while asking it for held records
 */
record BatchSenderContext(
    String name,
    Sink sink,
    ReentrantLock sinkLock,
    SinkState account,
    SinkCursor cursor,
    FlowControl flow,
    RefusalBreaker breaker,
    DeadLetters deadLetters,
    SinkMeter meter) {
  /**
   * Writes a receipt. If that fails now, reports a fault and returns false: the records are not
   * settled.
   */
  boolean book(Receipt receipt) {
    try {
      cursor.book(receipt);
      return true;
    } catch (IOException | RuntimeException cannot) {
      // A bug in the receipts is no reason to send everything again.
      flow.failed("the receipt cannot be written: " + cannot.getMessage());
      return false;
    }
  }
}
