package gilmok.trace;

import gilmok.config.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The keys {@code tracing.*}. Immutable.
 *
 * @param endpoint where spans are sent: a collector's URL for traces by OTLP over HTTP; null for
 *     nowhere
 * @param authorization the header Authorization for it; null for none
 * @param every one of so many requests is traced; 0 for none but those that others have begun
 * @param slow a request that takes this long is traced always, as is a fault
 */
public record TracingConfig(
    @Nullable URI endpoint, @Nullable String authorization, int every, Duration slow) {
  /** Nothing is sent. */
  public static final TracingConfig OFF = new TracingConfig(null, null, 0, Duration.ofSeconds(1));

  private static final String PATH = "/v1/traces";
  private static final int EVERY_MAX = 1_000_000;

  /** Reads the keys. */
  public static TracingConfig from(Settings settings) {
    return new TracingConfig(
        endpoint(settings),
        settings.secret("tracing.authorization"),
        settings.number("tracing.sample-every", 100, 0, EVERY_MAX),
        settings.duration("tracing.slow", "1 s", Duration.ofMillis(1), Duration.ofHours(1)));
  }

  private static @Nullable URI endpoint(Settings settings) {
    String text = settings.optionalText("tracing.endpoint");
    if (text == null) {
      return null;
    }
    try {
      URI uri = new URI(text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null && uri.getUserInfo() == null) {
        boolean isBare = uri.getPath().isEmpty() || uri.getPath().equals("/");
        return isBare ? uri.resolve(PATH) : uri;
      }
    } catch (URISyntaxException e) {
      // Reported below, like any other text that is no such URL.
    }
    settings.problem("tracing.endpoint: is no URL, such as http://127.0.0.1:4318");
    return null;
  }

  /** Whether spans are sent. */
  boolean isOn() {
    return endpoint != null;
  }
}
