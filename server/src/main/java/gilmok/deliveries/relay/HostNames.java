package gilmok.deliveries.relay;

import java.net.InetAddress;
import java.util.List;

/** Resolves host names. Thread-safe. */
@FunctionalInterface
interface HostNames extends AutoCloseable {
  /**
   * Resolves a host; blocks for at most {@code millisMax}.
   *
   * @return the addresses; empty when the name is unknown or there is no answer in time
   */
  List<InetAddress> addresses(String host, long millisMax) throws InterruptedException;

  @Override
  default void close() {}
}
