package gilmok.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.Locale;

/** Names and values of headers, hashed and checked once. */
final class HeaderNames {
  static final CharSequence ACCEPT_ENCODING = HttpHeaders.ACCEPT_ENCODING;
  static final CharSequence ACCEPT_LANGUAGE = HttpHeaders.ACCEPT_LANGUAGE;
  static final CharSequence API_KEY = HttpHeaders.createOptimized("x-api-key");
  static final CharSequence AUTHORIZATION = HttpHeaders.AUTHORIZATION;
  static final CharSequence CONNECTION = HttpHeaders.CONNECTION;
  static final CharSequence CONTENT_ENCODING = HttpHeaders.CONTENT_ENCODING;
  static final CharSequence CONTENT_LENGTH = HttpHeaders.CONTENT_LENGTH;
  static final CharSequence CONTENT_TYPE = HttpHeaders.CONTENT_TYPE;
  static final CharSequence COOKIE = HttpHeaders.COOKIE;
  static final CharSequence ETAG = HttpHeaders.ETAG;
  static final CharSequence EXPECT = HttpHeaders.EXPECT;
  static final CharSequence HOST = HttpHeaders.HOST;
  static final CharSequence RETRY_AFTER = HttpHeaders.RETRY_AFTER;
  static final CharSequence SEC_FETCH_MODE = HttpHeaders.createOptimized("sec-fetch-mode");
  static final CharSequence SEC_FETCH_SITE = HttpHeaders.createOptimized("sec-fetch-site");
  static final CharSequence TRANSFER_ENCODING = HttpHeaders.TRANSFER_ENCODING;
  static final CharSequence VARY = HttpHeaders.VARY;
  static final CharSequence WWW_AUTHENTICATE = HttpHeaders.createOptimized("www-authenticate");

  /** In the header Vary. */
  static final CharSequence BY_CODING = HttpHeaders.createOptimized("Accept-Encoding");

  static final CharSequence CLOSE = HttpHeaders.createOptimized("close");
  static final CharSequence CODINGS = HttpHeaders.createOptimized("gzip, zstd");
  static final CharSequence CHALLENGE =
      HttpHeaders.createOptimized("Bearer realm=\"gilmok\", Basic realm=\"gilmok\"");
  static final CharSequence BEARER_CHALLENGE =
      HttpHeaders.createOptimized("Bearer realm=\"gilmok\"");

  /** The cookie that a page keeps. */
  static final String SESSION = "gilmok_session";

  static final String JSON_TYPE = "application/json";
  static final String PROBLEM_TYPE = "application/problem+json";
  private static final CharSequence JSON = HttpHeaders.createOptimized(JSON_TYPE);
  private static final CharSequence PROBLEM = HttpHeaders.createOptimized(PROBLEM_TYPE);
  private static final CharSequence[] SECONDS = {
    HttpHeaders.createOptimized("0"),
    HttpHeaders.createOptimized("1"),
    HttpHeaders.createOptimized("2"),
    HttpHeaders.createOptimized("3"),
    HttpHeaders.createOptimized("4"),
    HttpHeaders.createOptimized("5")
  };

  private HeaderNames() {}

  /** The content type as a header's value, without checking it again when it is a usual one. */
  static CharSequence contentType(String type) {
    if (type.equals(JSON_TYPE)) {
      return JSON;
    }
    return type.equals(PROBLEM_TYPE) ? PROBLEM : type;
  }

  static CharSequence seconds(int count) {
    return SECONDS[count];
  }

  /** Adds one header to those on which the reply depends. */
  static void vary(MultiMap headers, CharSequence name) {
    String others = headers.get(VARY);
    if (others == null) {
      headers.set(VARY, name);
    } else {
      String one = name.toString().toLowerCase(Locale.ROOT);
      if (!others.toLowerCase(Locale.ROOT).contains(one)) {
        headers.set(VARY, others + ", " + name);
      }
    }
  }
}
