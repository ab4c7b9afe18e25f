package gilmok.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A refusal as the bytes of {@code application/problem+json} (RFC 9457). Those without a field of
 * their own are encoded once. Thread-safe.
 */
final class ProblemDetails {
  private static final Map<Refusal, byte[]> ENGLISH = all(false);

  /** A class of its own, so that Korean texts are read only when a client wants one. */
  private static final class Korean {
    static final Map<Refusal, byte[]> ALL = all(true);
  }

  private ProblemDetails() {}

  /** The bytes in the language that the request prefers. Not to be changed. */
  static byte[] of(
      Refusal refusal,
      HttpRequest request,
      @Nullable String field,
      @Nullable String reason,
      String members) {
    boolean korean = prefersKorean(request.head.getHeader(HttpHeaders.ACCEPT_LANGUAGE));
    if (field == null && reason == null && members.isEmpty()) {
      return Objects.requireNonNull((korean ? Korean.ALL : ENGLISH).get(refusal));
    }
    StringBuilder json = new StringBuilder(256);
    String said = reason != null && korean ? KoreanReasons.of(reason) : reason;
    open(json, refusal, detail(refusal, korean, field, said), korean);
    optional(json, "field", field);
    optional(json, "reason", said);
    if (!members.isEmpty()) {
      json.append(',').append(members);
    }
    return json.append('}').toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Whether Accept-Language prefers Korean to English. Other languages are ignored; the weight of a
   * language is that of its first range.
   */
  static boolean prefersKorean(@Nullable String acceptLanguage) {
    if (acceptLanguage == null) {
      return false;
    }
    double korean = -1;
    double english = -1;
    int koreanAt = 0;
    int englishAt = 0;
    int at = 0;
    for (String range : acceptLanguage.split(",", 32)) {
      String trimmed = range.strip();
      at++;
      if (korean < 0 && isLanguage(trimmed, "ko")) {
        korean = weight(trimmed);
        koreanAt = at;
      } else if (english < 0 && isLanguage(trimmed, "en")) {
        english = weight(trimmed);
        englishAt = at;
      }
    }
    return korean > 0 && (korean > english || (korean == english && koreanAt < englishAt));
  }

  /** Adds the headers that tell a client what to do about a refusal. */
  static void explain(Refusal refusal, MultiMap headers, HttpRequest request, EventLoopState loop) {
    switch (refusal.status()) {
      case 401 ->
          headers.set(
              HeaderNames.WWW_AUTHENTICATE,
              request.isFromScript() ? HeaderNames.BEARER_CHALLENGE : HeaderNames.CHALLENGE);
      case 415 -> headers.set(HttpHeaders.ACCEPT_ENCODING, HeaderNames.CODINGS);
      case 429, 503 ->
          headers.set(HttpHeaders.RETRY_AFTER, HeaderNames.seconds(loop.retryAfterSeconds()));
      default -> {}
    }
  }

  private static boolean isLanguage(String range, String language) {
    return range.regionMatches(true, 0, language, 0, 2)
        && (range.length() == 2
            || range.charAt(2) == '-'
            || range.charAt(2) == ';'
            || range.charAt(2) == ' ');
  }

  /** The value of q, in thousandths at most; 1 when there is none or it cannot be read. */
  private static double weight(String range) {
    int at = range.indexOf("q=");
    if (at < 0) {
      return 1;
    }
    double weight = 0;
    double scale = 1;
    boolean fraction = false;
    for (int i = at + 2; i < range.length() && i < at + 7; i++) {
      char c = range.charAt(i);
      if (c >= '0' && c <= '9') {
        scale = fraction ? scale / 10 : scale;
        weight = fraction ? weight + (c - '0') * scale : c - '0';
      } else if (c == '.' && !fraction) {
        fraction = true;
      } else {
        break;
      }
    }
    return Math.min(1, weight);
  }

  private static Map<Refusal, byte[]> all(boolean korean) {
    Map<Refusal, byte[]> all = new EnumMap<>(Refusal.class);
    for (Refusal refusal : Refusal.values()) {
      StringBuilder json = new StringBuilder(256);
      String reason = refusal.reason();
      open(json, refusal, detail(refusal, korean, null, null), korean);
      optional(json, "field", refusal.field());
      optional(json, "reason", reason != null && korean ? KoreanReasons.of(reason) : reason);
      all.put(refusal, json.append('}').toString().getBytes(StandardCharsets.UTF_8));
    }
    return all;
  }

  /** The refusal's line; where one part of the request is invalid, that part and why. */
  private static String detail(
      Refusal refusal, boolean korean, @Nullable String field, @Nullable String reason) {
    if (refusal == Refusal.INVALID && field != null && reason != null) {
      return field.isEmpty() ? reason : field + ": " + reason;
    }
    return korean ? refusal.korean() : refusal.english();
  }

  private static void open(StringBuilder json, Refusal refusal, String detail, boolean korean) {
    json.append("{\"type\":\"/docs/errors#").append(refusal.label()).append('"');
    optional(json, "title", korean ? KoreanReasons.of(refusal.title()) : refusal.title());
    json.append(",\"status\":").append(refusal.status());
    optional(json, "detail", detail);
  }

  private static void optional(StringBuilder json, String name, @Nullable String value) {
    if (value != null) {
      json.append(',');
      member(json, name, value);
    }
  }

  /** A member of a JSON object, escaped, without a comma. */
  static void member(StringBuilder json, String name, String value) {
    json.append('"').append(name).append("\":\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < 0x20 || c == 0x7f) {
        json.append("\\u00").append(Character.forDigit(c >> 4 & 15, 16));
        json.append(Character.forDigit(c & 15, 16));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
