package gilmok.http;

import gilmok.auth.ClientAddress;
import gilmok.auth.Principal;
import java.net.InetAddress;
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

  /** A caller that holds bytes: the id that tells it apart, and how much it may hold. */
  record Caller(Object id, long bytesMax, boolean isStranger) {}

  /** Nobody holds anything yet. */
  BodyQuotas(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * The caller that sends a body.
   *
   * @param principal the key; null where none is known
   * @param address the client's; null where it has none, as on a local socket
   */
  Caller caller(@Nullable Principal principal, @Nullable InetAddress address) {
    if (principal != null) {
      return new Caller(principal.keyId(), bytesMax / (principal.binding() == null ? 2 : 8), false);
    }
    Object id = address == null ? STRANGERS : ClientAddress.household(address);
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
