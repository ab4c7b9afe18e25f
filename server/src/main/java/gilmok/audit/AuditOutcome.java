package gilmok.audit;

import org.jspecify.annotations.Nullable;

/**
 * What became of a change.
 *
 * @param label {@code done}, {@code failed}: it was not made, or {@code unknown}: it may have been
 * @param error why it is not done; null if it is
 */
record AuditOutcome(String label, @Nullable String error) {
  /** It is made, or about to be. */
  static final AuditOutcome DONE = new AuditOutcome("done", null);

  static AuditOutcome failed(String why) {
    return new AuditOutcome("failed", why);
  }

  static AuditOutcome unknown(Throwable failure) {
    return new AuditOutcome("unknown", String.valueOf(failure.getMessage()));
  }
}
