package gilmok.lab.capacity;

import gilmok.lab.load.Acknowledging;
import gilmok.lab.load.LoadExchange;
import gilmok.lab.load.Response;
import gilmok.lab.load.Workload;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are made one by one, each by a number of its own. What the answers say was accepted
 * is added up. Owned by one lane's event loop; its count may be read after the end.
 */
final class MadeRequests implements Workload, LoadExchange, Acknowledging {
  private static final byte[] ACCEPTED = Response.ascii("\"accepted\":");
  private static final byte[] DUPLICATES = Response.ascii("\"duplicates\":");

  private final LongFunction<byte[]> made;
  private final int status;
  private final int step;
  private final int records;
  private long number;
  private long acknowledged;

  /**
   * Requests of a lane.
   *
   * @param made the request with a number
   * @param status the status that is expected
   * @param lane the first number
   * @param lanes how far numbers are apart
   * @param records how many records a good answer acknowledges if it does not say so itself
   */
  MadeRequests(LongFunction<byte[]> made, int status, int lane, int lanes, int records) {
    this.made = made;
    this.status = status;
    this.records = records;
    this.number = lane;
    this.step = lanes;
  }

  @Override
  public LoadExchange next() {
    return this;
  }

  @Override
  public byte[] request() {
    byte[] request = made.apply(number);
    number += step;
    return request;
  }

  @Override
  public @Nullable String check(Response response) {
    if (response.status() != status) {
      return "status " + response.status();
    }
    long accepted = response.number(ACCEPTED);
    acknowledged += accepted < 0 ? records : accepted;
    return response.number(DUPLICATES) > 0 ? DUPLICATE : null;
  }

  @Override
  public long acknowledged() {
    return acknowledged;
  }
}
