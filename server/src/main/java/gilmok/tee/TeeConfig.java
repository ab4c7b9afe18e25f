package gilmok.tee;

import gilmok.config.Settings;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code tee.*}: another server that gets what phones send, too. Immutable.
 *
 * @param url the other server, without a path; null for none
 * @param mode whose answer the phones get
 * @param bytesMax how much may wait for it; what is more is not passed on, and counted
 * @param timeout how long it may take to answer
 */
public record TeeConfig(@Nullable URI url, Mode mode, long bytesMax, Duration timeout) {
  /** Nothing is passed on. */
  public static final TeeConfig OFF = new TeeConfig(null, Mode.COPY, 0, Duration.ZERO);

  /** Whose answer the phones get. */
  public enum Mode {
    /** Ours; the other server gets a copy, and nobody waits for it. */
    COPY,
    /** The other server's; ours takes a copy. */
    SHADOW
  }

  /** Reads the settings. */
  public static TeeConfig from(Settings settings) {
    String url = settings.optionalText("tee.url");
    TeeConfig config =
        new TeeConfig(
            null,
            settings.choice("tee.mode", Mode.COPY),
            settings.bytes("tee.bytes-max", "32 MiB", 1 << 20, 1L << 30),
            settings.duration("tee.timeout", "10 s", Duration.ofMillis(10), Duration.ofMinutes(1)));
    if (url == null) {
      return config;
    }
    try {
      URI parsed = URI.create(url);
      boolean isPlain = parsed.getRawPath().isEmpty() || parsed.getRawPath().equals("/");
      boolean isHttp = "http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme());
      if (isHttp && parsed.getHost() != null && isPlain && parsed.getRawQuery() == null) {
        return new TeeConfig(parsed, config.mode, config.bytesMax, config.timeout);
      }
    } catch (IllegalArgumentException malformed) {
      // Reported below, with every other fault.
    }
    settings.problem("tee.url: \"" + url + "\" is no URL of a server, as https://old.example is");
    return config;
  }
}
