package gilmok.http;

import gilmok.config.Settings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that a listener shows to clients.
 *
 * @param certificate PEM file with the chain
 * @param key PEM file with its key
 * @param reloadInterval how often the files are checked for changes
 */
public record TlsConfig(Path certificate, Path key, Duration reloadInterval) {
  private static final Duration SHORTEST = Duration.ofMillis(100);

  /** Reads the keys {@code tls.*}; null where TLS is not wanted. */
  static @Nullable TlsConfig from(Settings settings) {
    String certificate = settings.optionalText("tls.certificate");
    String key = settings.optionalText("tls.key");
    Duration interval =
        settings.duration("tls.reload-interval", "5 s", SHORTEST, Duration.ofHours(1));
    if ((certificate == null) != (key == null)) {
      settings.problem("tls.certificate and tls.key: give both or neither");
    }
    return certificate == null || key == null
        ? null
        : new TlsConfig(Path.of(certificate), Path.of(key), interval);
  }
}
