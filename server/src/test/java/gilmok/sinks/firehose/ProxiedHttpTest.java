package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import gilmok.observe.Meters;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.utils.AttributeMap;

/** Calls through a proxy and past it. The named hosts exist only behind the proxy. */
@Tag("server")
@Timeout(60)
class ProxiedHttpTest {
  private static final String REAL = "firehose.ap-northeast-2.amazonaws.com";

  private static HttpsServer secure() throws Exception {
    X509Bundle bundle =
        new CertificateBuilder()
            .subject("CN=behind.test")
            .setIsCertificateAuthority(true)
            .addSanDnsName("behind.test")
            .buildSelfSigned();
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(bundle.toKeyManagerFactory().getKeyManagers(), null, null);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpsServer server = HttpsServer.create(any, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.createContext(
        "/",
        exchange -> {
          byte[] body = "here".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static SdkHttpClient client(Map<String, String> environment) {
    return AwsHttpService.builder(ProxyRules.from(environment))
        .buildWithDefaults(
            AttributeMap.builder()
                .put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true)
                .build());
  }

  private static String get(SdkHttpClient client, String uri) throws IOException {
    SdkHttpFullRequest request =
        SdkHttpFullRequest.builder().method(SdkHttpMethod.GET).uri(URI.create(uri)).build();
    HttpExecuteResponse response =
        client.prepareRequest(HttpExecuteRequest.builder().request(request).build()).call();
    try (var body = response.responseBody().orElseThrow()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void call_https_goesThroughTheTunnelAndShowsThePasswordToTheProxy() throws Exception {
    HttpsServer server = secure();
    try (TunnelProxy proxy = TunnelProxy.to(server.getAddress().getPort());
        SdkHttpClient client = client(Map.of("HTTPS_PROXY", proxy.uri("kim:p%40ss@").toString()))) {
      assertThat(get(client, "https://behind.test/")).isEqualTo("here");
      assertThat(proxy.asked()).containsExactly("CONNECT behind.test:443 HTTP/1.1");
      byte[] who = Base64.getEncoder().encode("kim:p@ss".getBytes(StandardCharsets.UTF_8));
      assertThat(proxy.shown()).containsExactly("Basic " + new String(who, StandardCharsets.UTF_8));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void call_whatNoProxyNames_doesNot() throws Exception {
    HttpsServer server = secure();
    int port = server.getAddress().getPort();
    try (TunnelProxy proxy = TunnelProxy.refusing(403)) {
      String address = proxy.uri("").toString();
      try (SdkHttpClient client = client(Map.of("HTTPS_PROXY", address))) {
        assertThat(get(client, "https://127.0.0.1:" + port)).isEqualTo("here");
        assertThat(proxy.asked()).isEmpty();
        assertThatThrownBy(() -> get(client, "https://behind.invalid:" + port))
            .isInstanceOf(ProxyFault.class)
            .hasMessage("proxy " + address + ": does not let the call through (403)");
        assertThat(proxy.asked()).hasSize(1);
      }
      // A host excluded by NO_PROXY is resolved directly, and this name does not resolve.
      try (SdkHttpClient client =
          client(Map.of("HTTPS_PROXY", address, "NO_PROXY", "behind.invalid"))) {
        assertThatThrownBy(() -> get(client, "https://behind.invalid:" + port))
            .isInstanceOf(IOException.class)
            .isNotInstanceOf(ProxyFault.class);
        assertThat(proxy.asked()).hasSize(1);
      }
    } finally {
      server.stop(0);
    }
  }

  private static String probe(URI proxy) throws InterruptedException {
    ProxyRules rules = ProxyRules.from(Map.of("HTTPS_PROXY", proxy.toString()));
    AwsBasicCredentials key = AwsBasicCredentials.create("id", "secret");
    try (Meters meters = new Meters();
        FirehoseSink sink =
            new FirehoseSink(
                Told.config("region", "ap-northeast-2"),
                "firehose",
                meters,
                rules,
                StaticCredentialsProvider.create(key))) {
      String told = String.valueOf(sink.probe());
      assertThat(sink.send(Batches.positions(1)).toString()).contains("UNREACHABLE", told);
      return told;
    }
  }

  @Test
  void sink_aProxyThatRefuses_isNamedWithoutThePassword() throws Exception {
    try (TunnelProxy proxy = TunnelProxy.refusing(403)) {
      assertThat(probe(proxy.uri("kim:s3cret@")))
          .startsWith("proxy " + proxy.uri("") + ": ")
          .endsWith("does not let the call through (403)")
          .doesNotContain("s3cret", "kim");
      assertThat(proxy.asked()).contains("CONNECT " + REAL + ":443 HTTP/1.1");
    }
    try (TunnelProxy proxy = TunnelProxy.refusing(407)) {
      assertThat(probe(proxy.uri("kim:s3cret@")))
          .startsWith("proxy " + proxy.uri("") + ": ")
          .endsWith("(407)")
          .doesNotContain("s3cret", "kim");
    }
  }

  @Test
  void sink_aProxyThatIsNotThere_isNamed() throws Exception {
    URI gone;
    try (TunnelProxy proxy = TunnelProxy.refusing(403)) {
      gone = proxy.uri("");
    }
    assertThat(probe(gone)).isEqualTo("proxy " + gone + ": does not accept connections");
  }
}
