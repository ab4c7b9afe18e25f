package gilmok.collect;

import gilmok.config.Settings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whose acknowledgement counts, as the settings say.
 *
 * @param sink the name of a sink; null for this node's disk
 * @param isUnsafe whether the sink may be one that does not answer durably
 * @param waitMax how long a request waits for the sink
 * @param otherwise what counts when the sink does not acknowledge in time
 */
public record AckConfig(@Nullable String sink, boolean isUnsafe, Duration waitMax, Else otherwise) {
  /** What happens when a sink does not acknowledge in time. */
  public enum Else {
    /** The request is refused, to be sent again. */
    REFUSE,
    /** This node's disk counts. */
    DISK
  }

  /** The key that names the sink. */
  public String key() {
    return isUnsafe ? "collect.unsafe-ack" : "collect.ack";
  }

  static AckConfig from(Settings settings) {
    String ack = settings.text("collect.ack", AckRule.DISK_NAME);
    String unsafe = settings.optionalText("collect.unsafe-ack");
    // "log" is what this disk was called before sinks could acknowledge.
    boolean isDisk = ack.equals(AckRule.DISK_NAME) || ack.equals("log");
    if (unsafe != null && !isDisk) {
      settings.problem("collect.unsafe-ack: collect.ack names a sink already");
    }
    return new AckConfig(
        unsafe != null ? unsafe : isDisk ? null : ack,
        unsafe != null,
        settings.duration("collect.ack-wait", "2 s", Duration.ofMillis(10), Duration.ofMinutes(1)),
        settings.choice("collect.ack-else", Else.REFUSE));
  }

  /** This node's disk counts. */
  AckConfig onDisk() {
    return new AckConfig(null, false, waitMax, otherwise);
  }
}
