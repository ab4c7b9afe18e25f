package gilmok.lab.load;

import org.jspecify.annotations.Nullable;

/**
 * A unit of load: one request, or several, each sent when the one before was answered. Owned by one
 * lane's event loop.
 */
public interface LoadExchange {
  /** The next request; the array may be overwritten afterwards. */
  byte[] request();

  /** What is wrong with a response, in a few words; null if nothing is. */
  default @Nullable String check(Response response) {
    return response.status() / 100 == 2 ? null : "status " + response.status();
  }

  /**
   * Whether a response is a refusal that the run expects. It is counted apart, is no error, and
   * ends the exchange; its latency is not measured.
   */
  default boolean isRefusal(Response response) {
    return false;
  }

  /** Whether another request follows, after a good response. */
  default boolean hasMore() {
    return false;
  }
}
