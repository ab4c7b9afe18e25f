package gilmok.lab.load;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The parameters of a load run.
 *
 * @param servers servers on loopback, to which the connections are distributed
 * @param connections the number of connections to all servers together
 * @param rate exchanges a second over all connections, in an open loop; 0 for a closed loop
 * @param ramp how long an open loop's rate rises from nearly nothing, before the warm-up
 * @param warmup load before the measured part
 * @param measured the measured part
 * @param count the number of exchanges after which a closed loop ends; 0: it ends by time
 * @param threads the number of event loops
 * @param pipeline the most requests in flight on a connection
 * @param drain how long to wait for responses after the end
 */
public record LoadPlan(
    List<InetSocketAddress> servers,
    int connections,
    double rate,
    Duration ramp,
    Duration warmup,
    Duration measured,
    long count,
    int threads,
    int pipeline,
    Duration drain) {
  private static final Duration COUNTED_MAX = Duration.ofMinutes(10);

  public LoadPlan {
    servers = List.copyOf(servers);
    require(connections >= threads && connections <= 20_000, "connections: threads to 20,000");
    require(threads >= 1 && threads <= 64, "threads: 1 to 64");
    require(pipeline >= 1 && pipeline <= 256, "pipeline: 1 to 256");
    require(rate >= 0 && rate <= 10_000_000, "rate: 0 to 10,000,000");
    require(measured.isPositive() && measured.toHours() <= 24, "seconds: more than 0, to a day");
    require(!ramp.isNegative() && !warmup.isNegative(), "ramp and warmup: 0 or more");
  }

  /** A closed loop on one thread. */
  public static LoadPlan closed(List<Integer> ports, int connections) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    return new LoadPlan(
        ports.stream().map(port -> new InetSocketAddress(loopback, port)).toList(),
        connections,
        0,
        Duration.ZERO,
        Duration.ZERO,
        COUNTED_MAX,
        0,
        1,
        1,
        Duration.ofSeconds(10));
  }

  /** The same plan with another rate and other times. */
  public LoadPlan at(double otherRate, double warmupSeconds, double seconds) {
    return new LoadPlan(
        servers,
        connections,
        otherRate,
        ramp,
        duration(warmupSeconds),
        duration(seconds),
        0,
        threads,
        pipeline,
        drain);
  }

  /** The same plan in a closed loop with a fixed number of exchanges. */
  public LoadPlan times(long otherCount) {
    return new LoadPlan(
        servers,
        connections,
        0,
        ramp,
        Duration.ZERO,
        COUNTED_MAX,
        otherCount,
        threads,
        pipeline,
        drain);
  }

  static Duration duration(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** Whether it is an open loop. */
  public boolean open() {
    return rate > 0;
  }

  private double intervalNanos() {
    return 1e9 * threads / rate;
  }

  /** When a lane's exchange k is due, in nanoseconds from the start. */
  long dueNanos(long k) {
    double steady = k * intervalNanos();
    double rampNanos = ramp.toNanos();
    return (long)
        (steady < rampNanos / 2 ? Math.sqrt(2 * rampNanos * steady) : steady + rampNanos / 2);
  }

  /** How many of a lane's exchanges are due by a time; not for times within the ramp. */
  long dueCount(long nanos) {
    return (long) ((nanos - ramp.toNanos() / 2.0) / intervalNanos());
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
