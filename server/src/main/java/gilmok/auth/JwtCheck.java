package gilmok.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.util.Base64URL;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks signed tokens. What is cheap comes first: form, algorithm, key, times, issuer, audience;
 * then the signature. A token that was found good is remembered by its hash until it ends, so a
 * phone's token is verified once. Thread-safe; does not block.
 */
final class JwtCheck {
  /** Longer tokens are not read. */
  static final int LENGTH_MAX = 8_192;

  /** In front of the subject, the id of a caller who has shown a token. */
  static final String ID_PREFIX = "jwt:";

  private static final int KNOWN_MAX = 100_000;

  /** How long signatures are looked at in a second, on all event loops. */
  private static final long VERIFY_NANOS_MAX = 300_000_000;

  private static final long ONE_NANOS_MAX = 2_000_000;

  private static final int SUBJECT_MAX = 128;

  /** Times later than in the year 33,000 are none; so their milliseconds are in range, too. */
  private static final long SECONDS_MAX = 1_000_000_000_000L;

  private static final long NO_TIME = Long.MIN_VALUE;
  private static final int SECONDS_TO_MILLIS = 1_000;

  private final JwtConfig config;
  private final JwtKeys keys;
  private final InstantSource time;

  /** By the token's SHA-256, in hexadecimal. */
  private final Cache<String, Principal> known =
      Caffeine.newBuilder().maximumSize(KNOWN_MAX).executor(Runnable::run).build();

  private final AtomicLong secondNanos = new AtomicLong(System.nanoTime());
  private final AtomicLong verifiedNanos = new AtomicLong();

  JwtCheck(JwtConfig config, InstantSource time) {
    this.config = config;
    this.time = time;
    keys = new JwtKeys(config.jwks(), config.refresh());
  }

  /** Whether a text may be a token: three parts, the first of which begins an object in Base64. */
  static boolean isLikeOne(String text, int start, int end) {
    int first = text.indexOf('.', start);
    int second = first < 0 ? -1 : text.indexOf('.', first + 1);
    return text.startsWith("eyJ", start) && second > 0 && second < end;
  }

  /** How long somebody who signed in on a page does not do so again. */
  Duration sessionLifetime() {
    return config.sessionLifetime();
  }

  /** How far the issuer's clock may be wrong. */
  Duration skew() {
    return config.skew();
  }

  /** The verdict on a token. */
  AuthResult check(String token) {
    String hash = HexFormat.of().formatHex(Sha256.of(token));
    Principal before = known.getIfPresent(hash);
    if (before != null) {
      Long end = before.endsAtMillis();
      if (end != null && time.millis() < end) {
        return before;
      }
      known.invalidate(hash);
      return Denial.EXPIRED;
    }
    AuthResult result = verdict(token, config.audience(), null);
    if (result instanceof Principal principal) {
      known.put(hash, principal);
    }
    return result;
  }

  /**
   * The verdict on the token of a login that this server has asked for; blocks while the issuer's
   * keys are read.
   *
   * @param audience what the issuer calls this server
   * @param nonce what it was given when it was asked
   */
  AuthResult checkLogin(String token, String audience, String nonce) throws InterruptedException {
    AuthResult result = verdict(token, audience, nonce);
    if (result == Denial.VERIFYING) {
      keys.await();
      result = verdict(token, audience, nonce);
    }
    return result;
  }

  private AuthResult verdict(String token, String audience, @Nullable String nonce) {
    int first = token.indexOf('.');
    int second = token.indexOf('.', first + 1);
    JsonNode header = part(token, 0, first);
    JsonNode claims = part(token, first + 1, second);
    if (header == null || claims == null || token.indexOf('.', second + 1) >= 0) {
      return Denial.UNKNOWN;
    }
    String algorithm = header.path("alg").asString("");
    if (!config.algorithms().contains(algorithm) || header.has("crit") || !letsIn(header, claims)) {
      return Denial.UNKNOWN;
    }
    Denial denial = ofClaims(claims, audience);
    if (denial == null && nonce != null && !isOfLogin(claims, audience, nonce)) {
      denial = Denial.UNKNOWN;
    }
    if (denial != null) {
      return denial;
    }
    List<JwtKeys.Key> fitting = keys.find(header.path("kid").asString(""), algorithm);
    if (fitting.isEmpty()) {
      return keys.isPerhapsNew() ? Denial.VERIFYING : Denial.UNKNOWN;
    }
    for (JwtKeys.Key key : fitting) {
      long began = System.nanoTime();
      if (!hasTime(began)) {
        return Denial.VERIFYING;
      }
      boolean isSigned = isSigned(token, second, key.verifier());
      // The first of its kind loads classes, and a thread may be held up: others do not pay for it.
      verifiedNanos.addAndGet(Math.min(System.nanoTime() - began, ONE_NANOS_MAX));
      if (isSigned) {
        return principal(claims);
      }
    }
    return Denial.UNKNOWN;
  }

  /**
   * Whether a token is of a kind that lets somebody in. An issuer signs others by the same keys,
   * which say so: that somebody has logged out, for instance (RFC 8725, 3.11; RFC 8417).
   */
  private static boolean letsIn(JsonNode header, JsonNode claims) {
    String type = header.path("typ").asString("").toLowerCase(Locale.ROOT);
    return (type.indexOf('+') < 0 || type.endsWith("at+jwt")) && !claims.has("events");
  }

  /**
   * Whether signatures may still be looked at in this second. They take an event loop up to a
   * millisecond each, and anybody can send wrong ones: then whoever has a new token comes again.
   */
  private boolean hasTime(long now) {
    long began = secondNanos.get();
    if (now - began > 1_000_000_000L && secondNanos.compareAndSet(began, now)) {
      verifiedNanos.set(0);
    }
    return verifiedNanos.get() < VERIFY_NANOS_MAX;
  }

  private static boolean isSigned(String token, int second, JWSVerifier key) {
    try {
      JWSHeader header = JWSHeader.parse(new Base64URL(token.substring(0, token.indexOf('.'))));
      return key.verify(
          header,
          token.substring(0, second).getBytes(StandardCharsets.US_ASCII),
          new Base64URL(token.substring(second + 1)));
    } catch (ParseException | JOSEException | IllegalArgumentException other) {
      return false; // the key is of another kind than the signature says
    }
  }

  private static @Nullable JsonNode part(String token, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = token.charAt(i);
      boolean isLetter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      if (!isLetter && (c < '0' || c > '9') && c != '-' && c != '_') {
        return null;
      }
    }
    if (to <= from || (to - from) % 4 == 1) {
      return null;
    }
    try {
      JsonNode node =
          JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(token.substring(from, to)));
      return node.isObject() ? node : null;
    } catch (JacksonException | IllegalArgumentException broken) {
      return null;
    }
  }

  /** What is wrong with a token's times, issuer or audience; null when nothing is. */
  private @Nullable Denial ofClaims(JsonNode claims, String audience) {
    long now = time.millis();
    long skew = config.skew().toMillis();
    long end = millis(claims.path("exp"));
    JsonNode begin = claims.path("nbf");
    long beginMillis = begin.isMissingNode() ? 0 : millis(begin);
    boolean isOurs =
        config.issuer().equals(claims.path("iss").asString(""))
            && isAmong(audience, claims.path("aud"))
            && end != NO_TIME
            && beginMillis != NO_TIME;
    if (!isOurs) {
      return Denial.UNKNOWN;
    }
    return now >= end + skew ? Denial.EXPIRED : now < beginMillis - skew ? Denial.UNKNOWN : null;
  }

  /** A time in epoch seconds as milliseconds; {@link #NO_TIME} when it is none, or out of range. */
  private static long millis(JsonNode seconds) {
    if (!seconds.isNumber() || !seconds.canConvertToLong()) {
      return NO_TIME;
    }
    long whole =
        seconds.isIntegralNumber() ? seconds.longValue() : (long) Math.floor(seconds.doubleValue());
    return whole < -SECONDS_MAX || whole > SECONDS_MAX ? NO_TIME : whole * SECONDS_TO_MILLIS;
  }

  /** OpenID Connect Core, 2 and 3.1.3.7. */
  private static boolean isOfLogin(JsonNode claims, String audience, String nonce) {
    return nonce.equals(claims.path("nonce").asString(""))
        && !claims.path("sub").asString("").isBlank()
        && claims.path("azp").asString(audience).equals(audience);
  }

  private static boolean isAmong(String wanted, JsonNode audience) {
    return audience.isArray()
        ? audience.valueStream().anyMatch(one -> wanted.equals(one.asString("")))
        : wanted.equals(audience.asString(""));
  }

  private AuthResult principal(JsonNode claims) {
    JwtConfig.Grants grants = config.grants();
    Binding binding = null;
    for (Map.Entry<Binding.Kind, String> one : grants.bindings().entrySet()) {
      String id = claim(claims, one.getValue()).asString("");
      if (!id.isBlank() && binding != null) {
        return Denial.UNKNOWN; // it says that it is two
      }
      binding = id.isBlank() ? binding : new Binding(one.getKey(), id);
    }
    Set<Scope> mapped = mapped(claims);
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    scopes.addAll(mapped);
    if (binding != null || grants.mayBeUnbound()) {
      scopes.addAll(grants.scopes()); // roles give more, and take nothing away
    }
    if (mapped.contains(Scope.OPERATE) || mapped.contains(Scope.ADMIN)) {
      binding = null; // who runs the fleet does so for all of it
    }
    if (scopes.isEmpty()) {
      return Denial.UNKNOWN;
    }
    String subject = claims.path("sub").asString("");
    String name = claim(claims, grants.nameClaim()).asString("");
    long end = millis(claims.path("exp")) + config.skew().toMillis();
    return new Principal(
        ID_PREFIX + cut(subject), cut(name.isBlank() ? subject : name), scopes, binding, end);
  }

  private static String cut(String text) {
    return text.length() > SUBJECT_MAX ? text.substring(0, SUBJECT_MAX) : text;
  }

  /** The scopes that a claim's values give. */
  private Set<Scope> mapped(JsonNode claims) {
    JwtConfig.Grants grants = config.grants();
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    if (grants.claim() == null) {
      return scopes;
    }
    JsonNode given = claim(claims, grants.claim());
    String[] values =
        given.isArray()
            ? given.valueStream().map(one -> one.asString("")).toArray(String[]::new)
            : given.asString("").split(" ");
    for (String value : values) {
      scopes.addAll(grants.byValue().getOrDefault(value, Set.of()));
    }
    return scopes;
  }

  /** A claim; points lead into objects, as in {@code realm_access.roles}. */
  private static JsonNode claim(JsonNode claims, String name) {
    JsonNode whole = claims.path(name);
    if (!whole.isMissingNode()) {
      return whole;
    }
    JsonNode node = claims;
    for (String step : name.split("\\.")) {
      node = node.path(step);
    }
    return node;
  }
}
