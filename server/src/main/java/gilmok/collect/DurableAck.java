package gilmok.collect;

import gilmok.event.JsonBuffer;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.log.Stream;

/**
 * The 202 for one request. It waits for the fsync, which is reported on the log's thread, or for a
 * sink, and goes out on the exchange's event loop.
 */
final class DurableAck extends AckCompletion implements Runnable {
  static final byte[] NONE = {};

  /**
   * What all answers of one event loop share.
   *
   * @param rule who acknowledges
   * @param node named in receipts
   * @param out the buffer in which the loop's answers are written, one at a time
   */
  record Means(AckRule rule, String node, CollectMeters meter, JsonBuffer out) {}

  private final Exchange exchange;
  private final Means means;
  private final Stream stream;
  private final byte[] quarantined;
  private final int quarantinedCount;
  private final int withheld;
  private int accepted;
  private int duplicates;

  /**
   * Waits for the records of one request.
   *
   * @param quarantined what was set aside, as the elements of a JSON array
   * @param withheld how many records were not collected
   */
  DurableAck(
      Exchange exchange,
      Means means,
      Stream stream,
      byte[] quarantined,
      int quarantinedCount,
      int withheld) {
    super(means.rule);
    this.exchange = exchange;
    this.means = means;
    this.stream = stream;
    this.quarantined = quarantined;
    this.quarantinedCount = quarantinedCount;
    this.withheld = withheld;
  }

  /**
   * Sets how many of the records are new and how many are duplicates. Called before the answer can
   * be sent.
   */
  void counted(int accepted, int duplicates) {
    this.accepted = accepted;
    this.duplicates = duplicates;
  }

  @Override
  void over() {
    exchange.execute(this);
  }

  /** Sends the answer. On the exchange's event loop. */
  @Override
  public void run() {
    String by = by();
    means.meter.answered(by);
    tellTimes(exchange);
    if (by == null) {
      exchange.refuse(Refusal.SINK_AWAY);
      return;
    }
    answer(by);
    means.meter.collected(stream, accepted, duplicates, quarantinedCount);
  }

  /** Answers a request of which nothing is left to be stored. */
  void nothingStored() {
    answer("");
  }

  private void answer(String by) {
    JsonBuffer out = means.out;
    out.clear();
    out.ascii("{\"accepted\":").number(accepted).ascii(",\"duplicates\":").number(duplicates);
    out.ascii(",\"quarantined\":[").raw(quarantined, 0, quarantined.length).put(']');
    if (withheld > 0) {
      out.ascii(",\"notCollected\":").number(withheld);
    }
    out.ascii(",\"receipt\":");
    if (accepted == 0) {
      out.ascii("null}");
    } else {
      out.ascii("{\"node\":\"").ascii(means.node).ascii("\",\"first\":").number(first());
      out.ascii(",\"last\":").number(first() + accepted - 1);
      out.ascii(",\"durable\":\"").ascii(by).ascii("\"}}");
    }
    exchange.reply(202, "application/json", out.copy());
  }
}
