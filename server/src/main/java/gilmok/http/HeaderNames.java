package gilmok.http;

import gilmok.trace.TraceContext;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Names and values of headers that Vert.x lacks; their hash and their validity are worked out once.
 */
final class HeaderNames {
  static final CharSequence API_KEY = HttpHeaders.createOptimized("x-api-key");
  static final CharSequence SEC_FETCH_MODE = HttpHeaders.createOptimized("sec-fetch-mode");
  static final CharSequence SEC_FETCH_SITE = HttpHeaders.createOptimized("sec-fetch-site");
  static final CharSequence HSTS = HttpHeaders.createOptimized("strict-transport-security");
  static final CharSequence A_YEAR = HttpHeaders.createOptimized("max-age=31536000");
  static final CharSequence WWW_AUTHENTICATE = HttpHeaders.createOptimized("www-authenticate");

  static final CharSequence TRACEPARENT = HttpHeaders.createOptimized(TraceContext.HEADER);

  /** What the client would like, but can do without (RFC 7240). */
  static final CharSequence PREFER = HttpHeaders.createOptimized("prefer");

  /** The value for the header Vary. */
  static final CharSequence BY_CODING = HttpHeaders.createOptimized("Accept-Encoding");

  static final CharSequence CLOSE = HttpHeaders.createOptimized("close");
  static final CharSequence CODINGS = HttpHeaders.createOptimized("gzip, zstd");
  static final CharSequence CHALLENGE =
      HttpHeaders.createOptimized("Bearer realm=\"gilmok\", Basic realm=\"gilmok\"");
  static final CharSequence BEARER_CHALLENGE =
      HttpHeaders.createOptimized("Bearer realm=\"gilmok\"");

  /** The name of a page's session cookie. */
  static final String SESSION = "gilmok_session";

  static final String JSON_TYPE = "application/json";
  static final String PROBLEM_TYPE = "application/problem+json";
  private static final CharSequence JSON = HttpHeaders.createOptimized(JSON_TYPE);
  private static final CharSequence PROBLEM = HttpHeaders.createOptimized(PROBLEM_TYPE);
  private static final List<CharSequence> SECONDS =
      Stream.of("0", "1", "2", "3", "4", "5").map(HttpHeaders::createOptimized).toList();

  private HeaderNames() {}

  /** The content type as a header's value; a common one is not validated again. */
  static CharSequence contentType(String type) {
    if (type.equals(JSON_TYPE)) {
      return JSON;
    }
    return type.equals(PROBLEM_TYPE) ? PROBLEM : type;
  }

  static CharSequence seconds(int count) {
    return SECONDS.get(count);
  }

  /** Sets a header; a cookie stands beside those that are set already. */
  static void put(MultiMap headers, String name, String value) {
    if (name.equalsIgnoreCase("set-cookie")) {
      headers.add(name, value);
    } else {
      headers.set(name, value);
    }
  }

  /** Adds one header to those that the reply depends on (Vary). */
  static void vary(MultiMap headers, CharSequence name) {
    String others = headers.get(HttpHeaders.VARY);
    if (others == null) {
      headers.set(HttpHeaders.VARY, name);
    } else {
      String one = name.toString().toLowerCase(Locale.ROOT);
      if (!others.toLowerCase(Locale.ROOT).contains(one)) {
        headers.set(HttpHeaders.VARY, others + ", " + name);
      }
    }
  }

  /** Sets a header that has a number, unless it is set. */
  static void setIfAbsent(MultiMap headers, CharSequence name, int value) {
    if (!headers.contains(name)) {
      headers.set(name, Integer.toString(value));
    }
  }
}
