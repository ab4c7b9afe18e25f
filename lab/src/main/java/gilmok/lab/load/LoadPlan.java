package gilmok.lab.load;

import java.time.Duration;

/**
 * What a load run is to do.
 *
 * @param host where the server is; loopback
 * @param port its port
 * @param path the request's path
 * @param key the API key; empty for none
 * @param connections how many connections
 * @param rate requests a second over all connections; 0 for a closed loop
 * @param warmup load that is not measured, before the measured part
 * @param measured the measured part
 * @param positions how many positions a request carries
 * @param riders how many riders the positions are spread over
 * @param threads how many event loops send
 * @param pipeline how many requests a connection may have under way
 * @param ids whether each position carries an id of its own
 * @param drain how long answers are waited for after the end
 */
record LoadPlan(
    String host,
    int port,
    String path,
    String key,
    int connections,
    double rate,
    Duration warmup,
    Duration measured,
    int positions,
    int riders,
    int threads,
    int pipeline,
    boolean ids,
    Duration drain) {

  LoadPlan {
    require(connections >= threads && connections <= 20_000, "connections: threads to 20,000");
    require(threads >= 1 && threads <= 64, "threads: 1 to 64");
    require(positions >= 1 && positions <= 10_000, "positions: 1 to 10,000");
    require(riders >= threads && riders <= 1_000_000, "riders: threads to 1,000,000");
    require(pipeline >= 1 && pipeline <= 256, "pipeline: 1 to 256");
    require(rate >= 0 && rate <= 10_000_000, "rate: 0 to 10,000,000");
    require(
        measured.compareTo(Duration.ofHours(1)) <= 0 && warmup.compareTo(Duration.ofHours(1)) <= 0,
        "seconds and warmup: up to one hour");
    require(measured.isPositive() && !warmup.isNegative(), "seconds must be more than 0");
  }

  boolean open() {
    return rate > 0;
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
