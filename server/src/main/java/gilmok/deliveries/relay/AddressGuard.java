package gilmok.deliveries.relay;

import gilmok.http.Networks;
import java.net.InetAddress;
import java.util.List;

/**
 * Decides which addresses webhooks may be sent to: public ones, and those of private networks that
 * the operator names. Addresses from which machines in clouds read their own secrets are never
 * allowed. It checks the address that is connected to, not the name, so no name can lead elsewhere.
 * Immutable.
 *
 * <p>IPv4: all but the blocks in IANA's registry of special-purpose addresses, multicast and
 * reserved ones. IPv6: only global unicast (2000::/3) without its special blocks; so mapped,
 * translated (NAT64), unique local, link-local and multicast addresses are excluded.
 */
record AddressGuard(Networks privateNetworks) {
  /**
   * Not even in a private network: "this" host, link-local and where clouds serve a machine its own
   * credentials (AWS, Azure, Google, Alibaba, Oracle, Scaleway), also by NAT64; multicast,
   * reserved.
   */
  private static final Networks NEVER =
      Networks.of(
          List.of(
              "0.0.0.0/8",
              "169.254.0.0/16",
              "100.100.100.200",
              "168.63.129.16",
              "192.0.0.192",
              "224.0.0.0/3",
              "::",
              "fe80::/10",
              "64:ff9b::169.254.0.0/112",
              "fd00:42::/32",
              "fd00:c1::/32",
              "fd00:ec2::/32",
              "fd20:ce::/32",
              "ff00::/8"));

  private static final List<Block> NOT_PUBLIC =
      List.of(
          // "This" network, private, carrier-grade NAT, loopback, link-local, private.
          block(8, 0),
          block(8, 10),
          block(10, 100, 64),
          block(8, 127),
          block(16, 169, 254),
          block(12, 172, 16),
          // Protocol assignments, documentation, 6to4 relays, private, benchmarks.
          block(24, 192, 0, 0),
          block(24, 192, 0, 2),
          block(24, 192, 88, 99),
          block(16, 192, 168),
          block(15, 198, 18),
          // Documentation twice, multicast, reserved.
          block(24, 198, 51, 100),
          block(24, 203, 0, 113),
          block(4, 224),
          block(4, 240),
          // Protocol assignments (Teredo among them), documentation, 6to4, documentation.
          wide(23, 0x20, 0x01, 0x00),
          wide(32, 0x20, 0x01, 0x0d, 0xb8),
          wide(16, 0x20, 0x02),
          wide(20, 0x3f, 0xff, 0x00));

  private static final Block GLOBAL_UNICAST = wide(3, 0x20);
  private static final int IPV4_BYTES = 4;

  /** The block of addresses that begin with the first {@code bits} of {@code prefix}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Block(int bits, byte[] prefix) {
    boolean holds(byte[] address) {
      if (address.length != prefix.length) {
        return false;
      }
      for (int i = 0; i < bits; i++) {
        int mask = 0x80 >> (i % 8);
        if (((address[i / 8] ^ prefix[i / 8]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  /** Those of the addresses that may be connected to. */
  List<InetAddress> allowed(List<InetAddress> all) {
    return all.stream()
        .filter(address -> !NEVER.hold(address))
        .filter(address -> isPublic(address.getAddress()) || isPrivate(address))
        .toList();
  }

  /** Those of the addresses that may be connected to without TLS: private ones only. */
  List<InetAddress> allowedInClear(List<InetAddress> all) {
    return all.stream().filter(this::isPrivate).toList();
  }

  /** Whether an address is in a private network that the operator has named. */
  boolean isPrivate(InetAddress address) {
    return privateNetworks.hold(address) && !NEVER.hold(address);
  }

  /** Whether there are private networks at all. */
  boolean hasPrivate() {
    return !privateNetworks.isEmpty();
  }

  /** Whether an address, as 4 or 16 bytes, is public. */
  static boolean isPublic(byte[] address) {
    return (address.length == IPV4_BYTES || GLOBAL_UNICAST.holds(address))
        && NOT_PUBLIC.stream().noneMatch(block -> block.holds(address));
  }

  private static Block block(int bits, int... first) {
    return new Block(bits, padded(IPV4_BYTES, first));
  }

  private static Block wide(int bits, int... first) {
    return new Block(bits, padded(16, first));
  }

  private static byte[] padded(int length, int... first) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < first.length; i++) {
      bytes[i] = (byte) first[i];
    }
    return bytes;
  }
}
