package gilmok.http;

import gilmok.config.Settings;
import io.vertx.core.MultiMap;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The proxies that are trusted to name their clients, and the headers in which they do. Only one
 * family of headers is read: a proxy that sets the one passes on whatever a client wrote into the
 * other. Immutable.
 *
 * @param networks {@code http.trusted-proxies}: their addresses
 * @param header {@code http.forwarded-header}: which headers they set
 * @param tokenHeader {@code auth.proxy-header}: the header in which they pass on the token of who
 *     has signed in there; null for none
 */
public record TrustedProxies(Networks networks, Header header, @Nullable String tokenHeader) {
  private static final String TOKEN_HEADER = "auth.proxy-header";
  private static final String BEARER = "Bearer ";

  /** No proxy is trusted. */
  public static final TrustedProxies NONE =
      new TrustedProxies(Networks.NONE, Header.X_FORWARDED, null);

  /** Proxies that name clients, and nobody else. */
  TrustedProxies(Networks networks, Header header) {
    this(networks, header, null);
  }

  /** How a proxy names its client. */
  public enum Header {
    /** {@code X-Forwarded-For}, {@code X-Forwarded-Proto}, {@code X-Forwarded-Host}. */
    X_FORWARDED,
    /** {@code Forwarded}, RFC 7239. */
    FORWARDED
  }

  /** Reads the settings, which note every problem. */
  static TrustedProxies from(Settings settings) {
    Header header = settings.choice("http.forwarded-header", Header.X_FORWARDED);
    String tokenHeader = settings.optionalText(TOKEN_HEADER);
    try {
      Networks networks = Networks.of(settings.words("http.trusted-proxies"));
      if (tokenHeader != null && networks.isEmpty()) {
        settings.problem(TOKEN_HEADER + ": needs http.trusted-proxies beside it: who may set it");
      }
      return new TrustedProxies(networks, header, tokenHeader);
    } catch (IllegalArgumentException none) {
      settings.problem("http.trusted-proxies: " + none.getMessage());
      return NONE;
    }
  }

  boolean isEmpty() {
    return networks.isEmpty();
  }

  /**
   * The client's address: the connected one, or, if that is a trusted proxy, the client it names.
   * In a chain of proxies it is the last address that is not trusted; those before it may be
   * forged.
   */
  InetAddress client(InetAddress connected, MultiMap headers) {
    return hop(connected, headers).client;
  }

  /** The token that a trusted proxy passes on; null when there is none. */
  @Nullable String token(InetAddress connected, MultiMap headers) {
    String value =
        tokenHeader != null && networks.hold(connected) ? headers.get(tokenHeader) : null;
    if (value == null || value.isBlank()) {
      return null;
    }
    return value.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? value.substring(BEARER.length()).strip()
        : value.strip();
  }

  /** The scheme that a trusted proxy's client used, in lower case; null when none is named. */
  @Nullable String scheme(InetAddress connected, MultiMap headers) {
    String scheme = said(connected, headers, "X-Forwarded-Proto", "proto");
    return scheme == null ? null : scheme.toLowerCase(Locale.ROOT);
  }

  /** The host, and the port if any, that its client asked for; null when none is named. */
  @Nullable String host(InetAddress connected, MultiMap headers) {
    return said(connected, headers, "X-Forwarded-Host", "host");
  }

  /**
   * The client, and which proxy named it.
   *
   * @param back how many proxies behind the client's there are, each with an element of its own
   */
  private record Hop(InetAddress client, int back) {}

  private Hop hop(InetAddress connected, MultiMap headers) {
    InetAddress client = connected;
    int back = 0;
    if (!networks.hold(connected)) {
      return new Hop(connected, back);
    }
    List<String> named = values(headers, "X-Forwarded-For", "for");
    for (int i = named.size() - 1; i >= 0 && networks.hold(client); i--) {
      InetAddress next = address(named.get(i));
      if (next == null) {
        break;
      }
      client = next;
      back = named.size() - 1 - i;
    }
    return new Hop(client, back);
  }

  /**
   * What the proxy says that the client came to; a proxy that says less often than it names clients
   * has said it once. What comes before may be forged.
   */
  private @Nullable String said(
      InetAddress connected, MultiMap headers, String name, String parameter) {
    if (!networks.hold(connected)) {
      return null;
    }
    List<String> named = values(headers, name, parameter);
    if (named.isEmpty()) {
      return null;
    }
    int last = named.size() - 1;
    int at = last == 0 ? 0 : last - Math.min(last, hop(connected, headers).back);
    String said = named.get(at).isEmpty() ? named.getLast() : named.get(at);
    return said.isEmpty() ? null : said;
  }

  /** The values that the proxies named, one for each; empty where a proxy named none. */
  private List<String> values(MultiMap headers, String name, String parameter) {
    boolean isForwarded = header == Header.FORWARDED;
    List<String> values = new ArrayList<>();
    for (String line : headers.getAll(isForwarded ? "Forwarded" : name)) {
      List<String> elements = isForwarded ? split(line, ',') : List.of(line.split(","));
      if (elements.isEmpty() && isForwarded) {
        // A quote is left open: it may be the client's, and hide what the proxy has added.
        values.clear();
        values.add("");
        continue;
      }
      for (String element : elements) {
        values.add(isForwarded ? parameter(element, parameter) : element.strip());
      }
    }
    return values;
  }

  /** A parameter of one element of {@code Forwarded}; empty when it is not there. */
  private static String parameter(String element, String name) {
    for (String pair : split(element, ';')) {
      int equals = pair.indexOf('=');
      if (equals > 0 && pair.substring(0, equals).strip().equalsIgnoreCase(name)) {
        return unquoted(pair.substring(equals + 1).strip());
      }
    }
    return "";
  }

  private static String unquoted(String value) {
    int last = value.length() - 1;
    return last > 0 && value.charAt(0) == '"' && value.charAt(last) == '"'
        ? value.substring(1, last).replace("\\", "")
        : value;
  }

  /** The parts between separators that are not quoted; none where a quote is left open. */
  private static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    boolean isQuoted = false;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && isQuoted) {
        i++;
      } else if (c == '"') {
        isQuoted = !isQuoted;
      } else if (c == separator && !isQuoted) {
        parts.add(text.substring(from, i));
        from = i + 1;
      }
    }
    parts.add(text.substring(from));
    return isQuoted ? List.of() : parts;
  }

  /**
   * An address with or without a port, as {@code 192.0.2.1:80} and {@code [2001:db8::1]:80}; null
   * when it is none, as {@code unknown}.
   */
  private static @Nullable InetAddress address(String text) {
    String bare = text;
    if (text.startsWith("[")) {
      int end = text.indexOf(']');
      bare = end < 0 ? "" : text.substring(1, end);
    } else if (text.indexOf(':') == text.lastIndexOf(':') && text.indexOf(':') > 0) {
      bare = text.substring(0, text.indexOf(':'));
    }
    try {
      return Networks.literal(bare);
    } catch (IllegalArgumentException none) {
      return null;
    }
  }
}
