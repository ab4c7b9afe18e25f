package gilmok.sinks.firehose;

import java.time.Duration;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpService;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/**
 * HTTP for the clients that the SDK makes by itself to log in, with a profile's role, a web
 * identity or single sign-on: through the proxies that the environment names. Public because the
 * SDK makes it, by its name. Thread-safe.
 */
public final class AwsHttpService implements SdkHttpService {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  /** One that the SDK makes, or a test. */
  public AwsHttpService() {}

  /** Has the SDK use it from now on; before its first client is made. */
  static void use() {
    System.setProperty(
        SdkSystemSetting.SYNC_HTTP_SERVICE_IMPL.property(), AwsHttpService.class.getName());
  }

  /** Clients for a few calls now and then. */
  static SdkHttpClient.Builder<?> builder(ProxyRules rules) {
    return new ProxiedHttp.Builder(
        rules,
        () ->
            Apache5HttpClient.builder()
                .connectionTimeout(CONNECT_TIMEOUT)
                .socketTimeout(ANSWER_TIMEOUT)
                .maxConnections(2));
  }

  @Override
  public SdkHttpClient.Builder<?> createHttpClientBuilder() {
    return builder(ProxyRules.from(System.getenv()));
  }
}
