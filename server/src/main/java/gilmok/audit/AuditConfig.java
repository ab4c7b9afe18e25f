package gilmok.audit;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * The settings {@code audit.*}.
 *
 * @param retention how long an entry is kept in the documents, from when it was made
 */
public record AuditConfig(Duration retention) {
  /** Reads them. */
  public static AuditConfig from(Settings settings) {
    return new AuditConfig(
        settings.duration("audit.retention", "400 d", Duration.ofDays(1), Duration.ofDays(36_500)));
  }
}
