package gilmok.auth;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who is asking: a key that was found good. */
public record Principal(String keyId, String name, Set<Scope> scopes, @Nullable Binding binding)
    implements Verdict {
  /** Whether this key has the scope. */
  public boolean has(Scope scope) {
    return scopes.contains(scope);
  }

  /** Whether this key may act for that rider, shop or agency: it is bound to it, or to nobody. */
  public boolean mayActFor(Binding.Kind kind, String id) {
    return binding == null || (binding.kind() == kind && binding.id().equals(id));
  }
}
