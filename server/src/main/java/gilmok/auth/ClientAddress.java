package gilmok.auth;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Who shows a credential, as far as limits count it. Asked only when a limit needs it. */
@FunctionalInterface
public interface ClientAddress {
  /** One whose address is not known; all of them are one. */
  ClientAddress STRANGER = () -> null;

  /** The address, as a trusted proxy names it; null where there is none. */
  @Nullable InetAddress clientAddress();

  /** What addresses are counted as one: of IPv6 the first half, one household's or one phone's. */
  static Object household(InetAddress address) {
    return address instanceof Inet6Address
        ? ByteBuffer.wrap(address.getAddress()).getLong()
        : address;
  }
}
