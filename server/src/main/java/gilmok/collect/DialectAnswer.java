package gilmok.collect;

import gilmok.collect.dialect.Dialect;
import gilmok.http.Exchange;
import gilmok.log.Ticket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The 200 of one upload, in the app's own way, which waits for the fsync on the log's thread and
 * goes out on its own.
 */
final class DialectAnswer extends Ticket implements Runnable {
  private final Exchange exchange;
  private final DialectCollector collector;
  private final Dialect dialect;
  private final List<String> devices;
  private Parcel.@Nullable Counts counts;

  DialectAnswer(
      Exchange exchange, DialectCollector collector, Dialect dialect, List<String> devices) {
    this.exchange = exchange;
    this.collector = collector;
    this.dialect = dialect;
    this.devices = devices;
  }

  /** What the log said of the records; before the answer can be sent. */
  void counted(Parcel.Counts counts) {
    this.counts = counts;
  }

  @Override
  protected void durable() {
    exchange.execute(this);
  }

  /** Answers. On the exchange's event loop. */
  @Override
  public void run() {
    collector.answer(exchange, dialect, devices);
    if (counts != null) {
      counts.tell(collector.meter());
    }
  }
}
