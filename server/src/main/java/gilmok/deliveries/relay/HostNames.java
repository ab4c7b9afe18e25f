package gilmok.deliveries.relay;

import java.net.InetAddress;
import java.util.List;

/** Knows the addresses of hosts. Thread-safe. */
@FunctionalInterface
interface HostNames extends AutoCloseable {
  /**
   * The addresses of a host, waiting for them at most so long.
   *
   * @return none when the name is unknown or nobody knows in time
   */
  List<InetAddress> addresses(String host, long millisMax) throws InterruptedException;

  @Override
  default void close() {}
}
