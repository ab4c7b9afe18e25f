package gilmok.collect;

import gilmok.collect.dialect.Dialect;
import gilmok.http.Exchange;
import gilmok.log.AppendCompletion;
import java.util.List;

/**
 * The 200 of one upload, in the app's own way, which waits for the fsync on the log's thread and
 * goes out on its own.
 */
final class DialectAnswer extends AppendCompletion implements Runnable {
  private final Exchange exchange;
  private final DialectCollector collector;
  private final Dialect dialect;
  private final List<String> devices;
  private final RecordBatchBuilder.Counts counts;

  /**
   * @param counts what the log says of the records; before the answer can be sent
   */
  DialectAnswer(
      Exchange exchange,
      DialectCollector collector,
      Dialect dialect,
      List<String> devices,
      RecordBatchBuilder.Counts counts) {
    this.exchange = exchange;
    this.collector = collector;
    this.dialect = dialect;
    this.devices = devices;
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
    counts.tell(collector.meter());
  }
}
