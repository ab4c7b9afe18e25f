package gilmok.auth;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request: a key that was found good. Immutable, made once for each key.
 *
 * @param scopes the scopes that the key was given; use {@link #has}, as one scope can imply others
 * @param binding the one rider, shop or agency the key is bound to; null for none
 * @param endsAtMillis when its session ends, epoch ms; null for a caller that shows its key
 */
public record Principal(
    String keyId,
    String name,
    Set<Scope> scopes,
    @Nullable Binding binding,
    @Nullable Long endsAtMillis)
    implements AuthResult {
  /** A caller that shows its key. */
  public Principal(String keyId, String name, Set<Scope> scopes, @Nullable Binding binding) {
    this(keyId, name, scopes, binding, null);
  }

  public Principal {
    scopes = Set.copyOf(scopes);
  }

  /** The same caller by a session that ends then. */
  Principal until(long millis) {
    return new Principal(keyId, name, scopes, binding, millis);
  }

  /** Whether this key has the scope, or one that implies it. */
  public boolean has(Scope scope) {
    return scopes.contains(scope) || scopes.contains(Scope.ADMIN);
  }

  /** Whether this key may act for that rider, shop or agency: it is bound to it, or not bound. */
  public boolean mayActFor(Binding.Kind kind, String id) {
    return binding == null || (binding.kind() == kind && binding.id().equals(id));
  }
}
