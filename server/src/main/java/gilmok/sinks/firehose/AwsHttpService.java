package gilmok.sinks.firehose;

import java.time.Duration;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpService;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/**
 * The HTTP service for clients that the SDK makes by itself to log in, with a profile's role, a web
 * identity or single sign-on: it uses the proxies in the environment. Public because the SDK makes
 * it by its class name. Thread-safe.
 */
public final class AwsHttpService implements SdkHttpService {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  /** Made by the SDK or a test. */
  public AwsHttpService() {}

  /** Makes the SDK use this service; to be called before its first client is made. */
  static void use() {
    System.setProperty(
        SdkSystemSetting.SYNC_HTTP_SERVICE_IMPL.property(), AwsHttpService.class.getName());
  }

  /** A builder of clients for occasional calls. */
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
