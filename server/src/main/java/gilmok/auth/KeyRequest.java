package gilmok.auth;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for a new key.
 *
 * @param name whom or what it is for; two active keys can have one name, for rotation
 * @param scopes what it may do; at least one
 * @param binding the one rider, shop or agency it is bound to; null for none
 * @param expiresIn how long it is valid; null for ever
 * @param rate requests a second; null for no limit
 * @param secret that of a key that was made elsewhere; null to make one here
 */
public record KeyRequest(
    String name,
    Set<Scope> scopes,
    @Nullable Binding binding,
    @Nullable Duration expiresIn,
    @Nullable Integer rate,
    @Nullable KeySecret secret) {
  static final String ADMIN_NAME = "admin";
  private static final int NAME_LENGTH_MAX = 128;
  private static final int BINDING_LENGTH_MAX = 128;
  private static final Duration EXPIRY_MAX = Duration.ofDays(3650);
  static final int RATE_MAX = 1_000_000;

  /** A request for a key that is made here. */
  public KeyRequest(
      String name,
      Set<Scope> scopes,
      @Nullable Binding binding,
      @Nullable Duration expiresIn,
      @Nullable Integer rate) {
    this(name, scopes, binding, expiresIn, rate, null);
  }

  /** A request for the admin key of a first start. */
  static KeyRequest ofAdmin() {
    return new KeyRequest(ADMIN_NAME, EnumSet.allOf(Scope.class), null, null, null);
  }

  public KeyRequest {
    scopes = Set.copyOf(scopes);
  }

  /** What is wrong with the request; null when nothing is. */
  public KeyResult.@Nullable Refused problem() {
    if (!isPlain(name, NAME_LENGTH_MAX)) {
      return refused(
          "name", "needs 1 to " + NAME_LENGTH_MAX + " characters, no control characters");
    }
    if (scopes.isEmpty()) {
      return refused("scopes", "needs at least one of collect, read, operate, admin");
    }
    if (binding != null && !isPlain(binding.id(), BINDING_LENGTH_MAX)) {
      return refused(
          binding.kind().label(),
          "needs 1 to " + BINDING_LENGTH_MAX + " characters, no control characters");
    }
    if (binding != null && scopes.contains(Scope.ADMIN)) {
      return refused("scopes", "a bound key cannot have admin");
    }
    if (expiresIn != null
        && (expiresIn.compareTo(Duration.ofSeconds(1)) < 0
            || expiresIn.compareTo(EXPIRY_MAX) > 0)) {
      return refused("expiresIn", "needs 1 to " + EXPIRY_MAX.toSeconds() + " seconds");
    }
    if (rate != null && (rate < 1 || rate > RATE_MAX)) {
      return refused("rate", "needs 1 to " + RATE_MAX + " requests a second");
    }
    return null;
  }

  private static KeyResult.Refused refused(String field, String reason) {
    return new KeyResult.Refused(field, reason);
  }

  private static boolean isPlain(String text, int lengthMax) {
    return !text.isBlank()
        && text.length() <= lengthMax
        && text.codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }
}
