package gilmok.http;

import gilmok.auth.AuthConfig;
import gilmok.auth.KeyNames;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What stays between this server and its clients where another server gets their requests and
 * answers them: sessions of our own pages, and keys of ours. Keys that were brought are the other
 * server's as well, and are passed on. Immutable.
 */
public final class Withheld {
  private static final String OUR_COOKIES = "gilmok_";
  private static final String BASIC = "basic ";

  private final KeyNames names;
  private final @Nullable String tokenHeader;
  private final byte @Nullable [] adminKey;

  /**
   * By the settings.
   *
   * @param tokenHeader {@code auth.proxy-header}, null for none
   */
  Withheld(KeyNames names, @Nullable String tokenHeader, @Nullable String adminKey) {
    this.names = names;
    this.tokenHeader = tokenHeader;
    this.adminKey = adminKey == null ? null : adminKey.getBytes(StandardCharsets.UTF_8);
  }

  /** By the settings. */
  public static Withheld of(AuthConfig auth, HttpConfig http) {
    return new Withheld(auth.keyNames(), http.proxies().tokenHeader(), auth.adminKey());
  }

  /** A request's path and query, without parameters whose value is a key of ours. */
  String target(String target) {
    int mark = target.indexOf('?');
    if (mark < 0) {
      return target;
    }
    String query = target.substring(mark + 1);
    String kept = PercentEncoding.without(query, this::isOurs);
    return kept.isEmpty() ? target.substring(0, mark) : target.substring(0, mark + 1) + kept;
  }

  /** A request's headers that the other server may see, in their order. */
  List<Map.Entry<String, String>> headers(List<Map.Entry<String, String>> sent) {
    List<Map.Entry<String, String>> kept = new ArrayList<>(sent.size());
    for (Map.Entry<String, String> header : sent) {
      String name = header.getKey();
      if (name.equalsIgnoreCase("cookie")) {
        String others = othersCookies(header.getValue());
        if (!others.isEmpty()) {
          kept.add(Map.entry(name, others));
        }
      } else if (!isSecret(name, header.getValue())) {
        kept.add(header);
      }
    }
    return kept;
  }

  private boolean isSecret(String name, String value) {
    if (name.equalsIgnoreCase("proxy-authorization") || name.equalsIgnoreCase(tokenHeader)) {
      return true;
    }
    boolean hasKey =
        name.equalsIgnoreCase("x-api-key")
            || name.equalsIgnoreCase("authorization")
            || name.equalsIgnoreCase(names.header());
    return hasKey && (isOurs(value) || isOurs(afterScheme(value.strip())));
  }

  /** What stands behind a scheme, as in {@code Bearer …}; of Basic the password. */
  private static String afterScheme(String value) {
    int blank = value.indexOf(' ');
    String rest = value.substring(blank + 1).strip();
    if (!value.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      return rest;
    }
    try {
      byte[] pair = Base64.getDecoder().decode(rest);
      String text = new String(pair, StandardCharsets.ISO_8859_1);
      return text.substring(text.indexOf(':') + 1);
    } catch (IllegalArgumentException noBase64) {
      return ""; // nor is it a key to this server
    }
  }

  private boolean isOurs(String text) {
    String key = text.strip();
    return KeyNames.isMadeHere(key)
        || (adminKey != null
            && MessageDigest.isEqual(adminKey, key.getBytes(StandardCharsets.UTF_8)));
  }

  /** The cookies of a request that are not of our own pages. */
  private static String othersCookies(String cookies) {
    return cookies.contains(OUR_COOKIES)
        ? Stream.of(cookies.split(";"))
            .map(String::strip)
            .filter(cookie -> !isOurCookie(cookie))
            .collect(Collectors.joining("; "))
        : cookies;
  }

  /** Whether a header of an answer would set a cookie of our own pages. */
  static boolean setsOurCookie(Map.Entry<String, String> header) {
    return header.getKey().equalsIgnoreCase("set-cookie") && isOurCookie(header.getValue());
  }

  /**
   * Whether a cookie is of our own pages. One without a name counts by its value: a browser sends
   * {@code =a=b} back as {@code a=b}.
   */
  private static boolean isOurCookie(String cookie) {
    int from = 0;
    while (from < cookie.length() && (cookie.charAt(from) <= ' ' || cookie.charAt(from) == '=')) {
      from++;
    }
    return cookie.regionMatches(true, from, OUR_COOKIES, 0, OUR_COOKIES.length());
  }
}
