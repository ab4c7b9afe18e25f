package gilmok.http;

import gilmok.auth.Principal;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Quotas of the room for bodies that are still arriving: half of it for one key, an eighth for a
 * key that is bound, a sixteenth for an address that has shown no key, and a quarter for all those
 * addresses together. So a caller that sends slowly, or never to the end, shuts nobody else out. A
 * key is not charged for what its address did, as thousands of phones share one address behind a
 * carrier. A body that has arrived whole no longer counts. Thread-safe.
 */
final class BodyQuotas {
  /** The id of all callers that have shown no key, taken together. */
  private static final Object STRANGERS = new Object();

  private final Map<Object, Long> held = new ConcurrentHashMap<>();
  private final long bytesMax;
  private final Networks proxies;

  /** A caller that holds bytes: the id that tells it apart, and how much it may hold. */
  record Caller(Object id, long bytesMax, boolean isStranger) {}

  /**
   * Nobody holds anything yet.
   *
   * @param proxies the proxies whose {@code X-Forwarded-For} is trusted
   */
  BodyQuotas(long bytesMax, Networks proxies) {
    this.bytesMax = bytesMax;
    this.proxies = proxies;
  }

  /**
   * The caller that sends a body. An IPv6 address counts by its first half, which is one
   * household's or one phone's.
   *
   * @param principal the key; null where none is known
   * @param forwardedFor the header {@code X-Forwarded-For}, in which a proxy names its client
   */
  Caller caller(@Nullable Principal principal, SocketAddress from, @Nullable String forwardedFor) {
    if (principal != null) {
      return new Caller(principal.keyId(), bytesMax / (principal.binding() == null ? 2 : 8), false);
    }
    InetAddress connected = from instanceof InetSocketAddress known ? known.getAddress() : null;
    Object id = STRANGERS;
    if (connected != null) {
      InetAddress address = proxies.client(connected, forwardedFor);
      id =
          address instanceof Inet6Address
              ? ByteBuffer.wrap(address.getAddress()).getLong()
              : address;
    }
    return new Caller(id, bytesMax / 16, true);
  }

  /**
   * Adds to the bytes that a caller holds; false, and nothing is taken, when the quota is reached.
   * A single body is always admitted, whatever its size.
   *
   * @param whole how many bytes of this one body there are then
   */
  boolean more(Caller caller, long bytes, long whole) {
    if (!more(caller.id, Math.max(caller.bytesMax, whole), bytes)) {
      return false;
    }
    if (caller.isStranger && !more(STRANGERS, Math.max(bytesMax / 4, whole), bytes)) {
      less(caller.id, bytes);
      return false;
    }
    return true;
  }

  /** Takes bytes off what a caller holds. */
  void less(Caller caller, long bytes) {
    less(caller.id, bytes);
    if (caller.isStranger) {
      less(STRANGERS, bytes);
    }
  }

  /** How many callers hold bytes. */
  int callers() {
    return held.size();
  }

  private boolean more(Object id, long max, long bytes) {
    if (held.merge(id, bytes, Long::sum) > max) {
      less(id, bytes);
      return false;
    }
    return true;
  }

  private void less(Object id, long bytes) {
    held.computeIfPresent(id, (_, all) -> all > bytes ? Long.valueOf(all - bytes) : null);
  }
}
