package gilmok.lab.capacity;

import gilmok.lab.load.LoadExchange;
import gilmok.lab.load.Response;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Another exchange, whose good answers are counted when they come. Owned by its lane. */
final class CountedExchange implements LoadExchange {
  private static final int BUSY = 503;
  private static final int TOO_FAST = 429;

  private final LongAdder good;
  private final boolean mayRefuse;
  private LoadExchange exchange = () -> new byte[0];

  /**
   * Without an exchange yet.
   *
   * @param mayRefuse whether answers of 503 and 429 are no errors
   */
  CountedExchange(LongAdder good, boolean mayRefuse) {
    this.good = good;
    this.mayRefuse = mayRefuse;
  }

  /** The same, of that exchange. */
  CountedExchange of(LoadExchange other) {
    exchange = other;
    return this;
  }

  @Override
  public byte[] request() {
    return exchange.request();
  }

  @Override
  public @Nullable String check(Response response) {
    String wrong = exchange.check(response);
    if (wrong == null) {
      good.increment();
    }
    return wrong;
  }

  @Override
  public boolean isRefusal(Response response) {
    return mayRefuse && (response.status() == BUSY || response.status() == TOO_FAST);
  }

  @Override
  public boolean hasMore() {
    return exchange.hasMore();
  }
}
