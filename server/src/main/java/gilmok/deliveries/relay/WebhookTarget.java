package gilmok.deliveries.relay;

import java.net.IDN;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The parsed and checked URL that a partner's webhooks go to. Immutable.
 *
 * @param host a name, or an address without brackets
 * @param path the path with the query
 */
record WebhookTarget(boolean isSecure, String host, int port, String path) {
  private static final String WITHOUT_TLS =
      "must begin with https:// unless its network is in relay.private-networks";
  private static final int CHARS_MAX = 2000;
  private static final int PORT_MAX = 65535;
  private static final String LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
  private static final Pattern NAME =
      Pattern.compile("(?!.{254})(?:LABEL\\.)*LABEL\\.?".replace("LABEL", LABEL));

  /** An address, and no name, to some who read URLs (WHATWG URL, "ends in a number"). */
  private static final Pattern ENDS_IN_NUMBER =
      Pattern.compile("(?:^|\\.)(?:[0-9]+|0x[0-9a-f]*)\\.?$");

  private static final Pattern IPV4 =
      Pattern.compile(
          "(?:BYTE\\.){3}BYTE".replace("BYTE", "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"));

  /** Both letters eszett, the final sigma, and the joiners. */
  private static final String DEVIATIONS = "\u00df\u1e9e\u03c2\u200c\u200d";

  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /** The result of reading a URL. */
  sealed interface Reading {
    /** A URL that webhooks can be sent to. */
    record Good(WebhookTarget target) implements Reading {}

    /** A URL that they cannot be sent to, and why. */
    record Bad(String reason) implements Reading {}
  }

  /** Reads and checks a URL. Names are not resolved; an address in place of a name is checked. */
  static Reading read(String url, AddressGuard guard) {
    if (url.length() > CHARS_MAX) {
      return new Reading.Bad("must have at most " + CHARS_MAX + " characters");
    }
    if (url.codePoints()
        .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
      return new Reading.Bad("is not a URL");
    }
    if (hasDeviation(url)) {
      return new Reading.Bad(
          "has a letter in its host that old and new software read differently (IDNA 2003 and"
              + " 2008): give the form with xn--");
    }
    URI uri;
    try {
      uri = new URI(new URI(withAsciiHost(url)).toASCIIString());
    } catch (URISyntaxException _) {
      return new Reading.Bad("is not a URL");
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean isSecure = scheme.equals("https");
    if (!isSecure && !(scheme.equals("http") && guard.hasPrivate())) {
      return new Reading.Bad(WITHOUT_TLS);
    }
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    if (authority.indexOf('@') >= 0 || uri.getRawFragment() != null) {
      return new Reading.Bad("must have neither user, password nor fragment");
    }
    // Not by URI's own parts: it knows no name with an underscore.
    int colon = authority.lastIndexOf(':');
    boolean hasPort = colon > authority.lastIndexOf(']');
    String host = ascii(hasPort ? authority.substring(0, colon) : authority);
    if (host.isEmpty()) {
      return new Reading.Bad("needs a host");
    }
    if (ENDS_IN_NUMBER.matcher(host).find() && !IPV4.matcher(host).matches()) {
      return new Reading.Bad(
          "must have a name or a whole address as its host: programs read short, octal and"
              + " hexadecimal numbers differently");
    }
    if (isSecure && host.indexOf('_') >= 0) {
      return new Reading.Bad(
          "must have no underscore in its host, as TLS knows no such name: give another name of"
              + " that server");
    }
    int port = isSecure ? HTTPS : HTTP;
    if (hasPort) {
      port = port(authority.substring(colon + 1));
    }
    if (port < 1 || port > PORT_MAX) {
      return new Reading.Bad("must have a port from 1 to " + PORT_MAX);
    }
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    if (Resolver.isLiteral(bare)) {
      List<InetAddress> address = Resolver.literal(bare);
      if (address.isEmpty()) {
        return new Reading.Bad("needs a host");
      }
      if ((isSecure ? guard.allowed(address) : guard.allowedInClear(address)).isEmpty()) {
        return new Reading.Bad(isSecure ? "must not lead into a private network" : WITHOUT_TLS);
      }
    }
    return new Reading.Good(new WebhookTarget(isSecure, bare, port, path + query));
  }

  /**
   * Whether the host has a letter of which IDNA 2003, as the JDK has it, makes another host than
   * IDNA 2008, as browsers have it (RFC 5894, 7.2): {@code ss} for an eszett, a medial sigma for a
   * final one, nothing for a joiner.
   */
  private static boolean hasDeviation(String url) {
    String authority = authority(url);
    if (authority.chars().allMatch(c -> c < 0x80)) {
      return false;
    }
    int colon = authority.lastIndexOf(':');
    String host = colon < 0 ? authority : authority.substring(0, colon);
    // What IDNA 2003 maps to something else than its small letters, IDNA 2008 may map otherwise.
    String plain = Normalizer.normalize(host.toLowerCase(Locale.ROOT), Normalizer.Form.NFC);
    String name = ascii(host);
    return authority.chars().anyMatch(c -> DEVIATIONS.indexOf(c) >= 0)
        || (!name.isEmpty() && !IDN.toUnicode(name).equals(plain));
  }

  /**
   * The URL with its host in ASCII (IDNA, RFC 5890), as URI reads no other; unchanged where it has
   * none.
   */
  private static String withAsciiHost(String url) {
    String authority = authority(url);
    if (authority.chars().allMatch(c -> c < 0x80)) {
      return url;
    }
    int from = url.indexOf("://") + 3;
    int colon = authority.lastIndexOf(':');
    int end = colon < 0 ? authority.length() : colon;
    String host = ascii(authority.substring(0, end));
    return host.isEmpty() ? url : url.substring(0, from) + host + url.substring(from + end);
  }

  /** What is between {@code ://} and the path; empty where there is none. */
  private static String authority(String url) {
    int from = url.indexOf("://") + 3;
    int to = from;
    while (from > 2 && to < url.length() && "/?#".indexOf(url.charAt(to)) < 0) {
      to++;
    }
    return from > 2 ? url.substring(from, to) : "";
  }

  /**
   * A host's name as DNS knows it; an address as it is; empty when it is neither. Names with an
   * underscore are no host names by RFC 1123, but some partners have them. An address with a zone
   * (RFC 6874) is of this machine alone, and HTTP clients know none.
   */
  private static String ascii(String host) {
    if (host.startsWith("[")) {
      return host.endsWith("]") && host.indexOf('%') < 0 ? host : "";
    }
    try {
      String name = IDN.toASCII(host, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
      return NAME.matcher(name).matches() ? name : "";
    } catch (IllegalArgumentException none) {
      return "";
    }
  }

  private static int port(String text) {
    return text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
  }
}
