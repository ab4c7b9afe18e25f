package gilmok.auth;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who is asking: a key that was found good. Immutable, made once for each key.
 *
 * @param scopes as the key was given them; ask {@link #has}, as one can imply others
 * @param binding the one rider, shop or agency the key is bound to; null for none
 */
public record Principal(String keyId, String name, Set<Scope> scopes, @Nullable Binding binding)
    implements AuthResult {
  public Principal {
    scopes = Set.copyOf(scopes);
  }

  /** Whether this key may do what the scope is for. */
  public boolean has(Scope scope) {
    return scopes.contains(scope) || scopes.contains(Scope.ADMIN);
  }

  /** Whether this key may act for that rider, shop or agency: it is bound to it, or to nobody. */
  public boolean mayActFor(Binding.Kind kind, String id) {
    return binding == null || (binding.kind() == kind && binding.id().equals(id));
  }
}
