package gilmok.http;

import java.net.InetAddress;
import java.util.List;

/** A set of addresses and networks, as in {@code 10.0.0.0/8, fd00::/8, 192.168.1.7}. Immutable. */
public record Networks(List<Network> all) {
  /** No network. */
  public static final Networks NONE = new Networks(List.of());

  public Networks {
    all = List.copyOf(all);
  }

  /** A network: all addresses that share its first {@code bits} bits. */
  record Network(InetAddress first, int bits) {
    boolean holds(InetAddress address) {
      byte[] its = first.getAddress();
      byte[] others = address.getAddress();
      if (its.length != others.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >>> (bit & 7);
        if (((its[bit >>> 3] ^ others[bit >>> 3]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Parses networks.
   *
   * @throws IllegalArgumentException naming the word that is none
   */
  public static Networks of(List<String> words) {
    return new Networks(words.stream().map(Networks::network).toList());
  }

  private static Network network(String word) {
    int slash = word.indexOf('/');
    try {
      InetAddress first = literal(slash < 0 ? word : word.substring(0, slash));
      int most = 8 * first.getAddress().length;
      int bits = slash < 0 ? most : Integer.parseInt(word.substring(slash + 1));
      if (bits >= 0 && bits <= most) {
        return new Network(first, bits);
      }
    } catch (IllegalArgumentException none) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        "\"" + word + "\" is no address and no network, as in 10.0.0.0/8");
  }

  /** Parses an address in its full notation only; Java would accept 10.1, too. */
  static InetAddress literal(String text) {
    if (text.indexOf(':') < 0 && text.chars().filter(c -> c == '.').count() != 3) {
      throw new IllegalArgumentException(text);
    }
    return InetAddress.ofLiteral(text);
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Whether one of them holds the address. */
  public boolean hold(InetAddress address) {
    for (Network network : all) {
      if (network.holds(address)) {
        return true;
      }
    }
    return false;
  }
}
