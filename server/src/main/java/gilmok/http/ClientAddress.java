package gilmok.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A client's address as limits count it. */
final class ClientAddress {
  private ClientAddress() {}

  /** What addresses are counted as one: of IPv6 the first half, one household's or one phone's. */
  static Object household(InetAddress address) {
    return address instanceof Inet6Address
        ? ByteBuffer.wrap(address.getAddress()).getLong()
        : address;
  }
}
