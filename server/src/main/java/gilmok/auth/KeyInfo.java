package gilmok.auth;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What everybody with the scope admin may see of a key: neither its secret nor its hash.
 *
 * @param expiresAt null for never
 * @param rate requests a second; null for no limit
 */
public record KeyInfo(
    String id,
    String name,
    Set<Scope> scopes,
    @Nullable Binding binding,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Integer rate) {
  public KeyInfo {
    scopes = Set.copyOf(scopes);
  }

  /** Whether the key has not expired at that time. */
  public boolean activeAt(Instant time) {
    return expiresAt == null || time.isBefore(expiresAt);
  }
}
