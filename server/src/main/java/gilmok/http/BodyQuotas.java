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
 * What one caller may hold of the room for bodies while these are on their way: half of it for a
 * key, an eighth for a key that is bound to somebody, a sixteenth for an address that has shown no
 * key, and a quarter for all those together. So whoever sends slowly, or not to the end, keeps
 * nobody else out; and what an address did is not laid to a key that comes from it, as thousands of
 * phones do through a carrier's. A body that has come whole counts no longer. Thread-safe.
 */
final class BodyQuotas {
  /** All that have shown no key. */
  private static final Object STRANGERS = new Object();

  private final Map<Object, Long> held = new ConcurrentHashMap<>();
  private final long bytesMax;
  private final Networks proxies;

  /** Who holds something: what he is told apart by, and how much that may be. */
  record Caller(Object id, long bytesMax, boolean isStranger) {}

  /**
   * @param proxies who are believed when they say from whom a request is
   */
  BodyQuotas(long bytesMax, Networks proxies) {
    this.bytesMax = bytesMax;
    this.proxies = proxies;
  }

  /**
   * Whoever sends a body. Of IPv6 the first half of an address is one household's or phone's.
   *
   * @param principal the key; null where none is known
   * @param forwardedFor what a proxy says of whom the request is
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
   * Lets a caller hold so many more bytes, or takes nothing. One body by itself is always let in.
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

  /** A caller holds so many fewer. */
  void less(Caller caller, long bytes) {
    less(caller.id, bytes);
    if (caller.isStranger) {
      less(STRANGERS, bytes);
    }
  }

  /** How many callers hold something. */
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
