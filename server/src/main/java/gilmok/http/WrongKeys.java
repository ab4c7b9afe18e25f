package gilmok.http;

import gilmok.auth.ClientAddress;
import gilmok.auth.RateLimit;
import java.net.InetAddress;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Limits how many wrong keys an address may send. Only a request with a wrong key is ever refused
 * for it: thousands of phones share one address behind a carrier. Addresses share a fixed number of
 * limits, at places that a stranger cannot foresee, so the memory is bounded. Thread-safe.
 */
final class WrongKeys {
  private static final int LIMITS = 4096;

  private final RateLimit[] limits;
  private final int seed;

  /**
   * No wrong key was sent yet.
   *
   * @param perSecond how many an address may send a second, as many at once; 0: any number
   */
  WrongKeys(int perSecond, RandomGenerator random) {
    limits =
        Stream.generate(() -> new RateLimit(perSecond))
            .limit(perSecond == 0 ? 0 : LIMITS)
            .toArray(RateLimit[]::new);
    seed = random.nextInt();
  }

  /** Counts one; whether its address has sent too many. */
  boolean isTooMany(InetAddress address) {
    if (limits.length == 0) {
      return false;
    }
    int hash = (ClientAddress.household(address).hashCode() ^ seed) * 0x9e3779b9;
    return !limits[hash >>> 20].pass(System.nanoTime() / 1_000_000);
  }
}
