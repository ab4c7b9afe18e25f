package gilmok.keys;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.audit.AuditAction;
import gilmok.audit.AuditEntry;
import gilmok.auth.KeyInfo;
import gilmok.auth.KeyJson;
import gilmok.auth.KeyWitness;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of keys into the audit.
 *
 * @param id the key that is revoked; null when one is made
 */
record AuditedKeys(Audit audit, Actor actor, @Nullable String id) implements KeyWitness {
  @Override
  public void change(@Nullable KeyInfo before, @Nullable KeyInfo after, Change change)
      throws IOException {
    AuditEntry entry =
        new AuditEntry(
            id == null ? AuditAction.KEY_CREATED : AuditAction.KEY_REVOKED,
            actor,
            after == null ? String.valueOf(id) : after.id(),
            json(before),
            json(after));
    try {
      boolean _ =
          audit.change(
              entry,
              () -> {
                change.make();
                return true;
              });
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before the key was changed");
    }
  }

  private static @Nullable String json(@Nullable KeyInfo info) {
    return info == null ? null : KeyJson.shown(info).toString();
  }
}
