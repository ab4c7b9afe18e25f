package gilmok.sinks.firehose;

import gilmok.sinks.firehose.ProxyRules.Via;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hc.client5.http.ConnectTimeoutException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * The SDK's HTTP client, with the right proxy for each call: the SDK's own client uses {@code
 * HTTP_PROXY} for https as well. A failure of a proxy is a {@link ProxyFault}. Thread-safe.
 */
final class ProxiedHttp implements SdkHttpClient {
  private static final int PROXY_AUTHENTICATION_REQUIRED = 407;
  private static final List<String> REQUEST_IDS = List.of("x-amzn-RequestId", "x-amz-request-id");

  private final ProxyRules rules;
  private final Supplier<Apache5HttpClient.Builder> base;
  private final AttributeMap defaults;
  private final SdkHttpClient direct;
  private final Map<Via, SdkHttpClient> proxied = new ConcurrentHashMap<>();

  /** Builds the client for the SDK. */
  record Builder(ProxyRules rules, Supplier<Apache5HttpClient.Builder> base)
      implements SdkHttpClient.Builder<Builder> {
    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
      return new ProxiedHttp(rules, base, defaults);
    }
  }

  private ProxiedHttp(
      ProxyRules rules, Supplier<Apache5HttpClient.Builder> base, AttributeMap defaults) {
    this.rules = rules;
    this.base = base;
    this.defaults = defaults;
    direct = client(ProxyConfiguration.builder());
  }

  private SdkHttpClient client(ProxyConfiguration.Builder proxy) {
    ProxyConfiguration own =
        proxy.useSystemPropertyValues(false).useEnvironmentVariableValues(false).build();
    return base.get().proxyConfiguration(own).buildWithDefaults(defaults);
  }

  private SdkHttpClient through(Via via) {
    ProxyConfiguration.Builder proxy = ProxyConfiguration.builder().endpoint(via.address());
    if (via.user() != null) {
      proxy
          .username(via.user())
          .password(via.password())
          .preemptiveBasicAuthenticationEnabled(true);
    }
    return client(proxy);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    SdkHttpRequest asked = request.httpRequest();
    Via via = rules.of(asked.protocol(), asked.host(), asked.port());
    if (via == null) {
      return direct.prepareRequest(request);
    }
    SdkHttpClient client = proxied.computeIfAbsent(via, this::through);
    return new Proxied(client.prepareRequest(request), via);
  }

  @Override
  public String clientName() {
    return direct.clientName();
  }

  @Override
  public void close() {
    direct.close();
    proxied.values().forEach(SdkHttpClient::close);
  }

  /** A call through a proxy. */
  private record Proxied(ExecutableHttpRequest inner, Via via) implements ExecutableHttpRequest {
    @Override
    public HttpExecuteResponse call() throws IOException {
      HttpExecuteResponse response;
      try {
        response = inner.call();
      } catch (UnknownHostException unknown) {
        throw new ProxyFault(via, "its name cannot be resolved");
      } catch (ConnectException refused) {
        throw new ProxyFault(via, "does not accept connections");
      } catch (ConnectTimeoutException late) {
        throw new ProxyFault(via, "cannot be reached in time");
      }
      int status = response.httpResponse().statusCode();
      if (status == PROXY_AUTHENTICATION_REQUIRED) {
        throw new ProxyFault(via, "asks for a user and a password that it knows (407)");
      }
      if (status >= 400 && !isAws(response.httpResponse())) {
        throw new ProxyFault(via, "does not let the call through (" + status + ")");
      }
      return response;
    }

    /**
     * Whether the answer is from AWS, whose answers all have an id: the client returns a proxy's
     * refusal of a tunnel as an answer, too.
     */
    private static boolean isAws(SdkHttpResponse answer) {
      return answer.firstMatchingHeader(REQUEST_IDS).isPresent();
    }

    @Override
    public void abort() {
      inner.abort();
    }
  }
}
