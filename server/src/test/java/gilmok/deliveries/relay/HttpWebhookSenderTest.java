package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsExchange;
import gilmok.config.Settings;
import gilmok.http.Networks;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One call over real HTTP, to a partner that may misbehave. */
@Tag("server")
@Timeout(60)
class HttpWebhookSenderTest {
  private static final byte[] BODY = "{\"type\":\"t\"}".getBytes(StandardCharsets.UTF_8);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  @Test
  void send_hasTheHeadersOfTheSpecification() throws Exception {
    try (PartnerServer partner = new PartnerServer();
        HttpWebhookSender sender = sender(Map.of())) {
      BlockingQueue<String> seen = new LinkedBlockingQueue<>();
      partner.behave(
          "/hook",
          (exchange, id) -> {
            seen.add(
                exchange.getRequestMethod()
                    + " "
                    + exchange.getRequestURI()
                    + " "
                    + PartnerServer.header(exchange, "content-type")
                    + " "
                    + PartnerServer.header(exchange, "host")
                    + " "
                    + id
                    + " "
                    + PartnerServer.header(exchange, "webhook-timestamp"));
            return 200;
          });
      WebhookOutcome outcome = sender.send(call(partner.url("/hook?a=b")));
      assertThat(outcome).isEqualTo(new WebhookOutcome(200, "", 0));
      assertThat(seen.take())
          .isEqualTo(
              "POST /hook?a=b application/json 127.0.0.1:" + partner.port() + " d:1 1767000000");
      assertThat(partner.bodies).containsExactly(new String(BODY, StandardCharsets.UTF_8));
    }
  }

  @Test
  void send_refused_saysStatusAndWhenToTryAgain() throws Exception {
    try (PartnerServer partner = new PartnerServer();
        HttpWebhookSender sender = sender(Map.of())) {
      partner.behave("/hook", (exchange, _) -> reply(exchange, 400, "no such\norder"));
      assertThat(sender.send(call(partner.url("/hook"))))
          .isEqualTo(new WebhookOutcome(400, "HTTP 400", 0));
      partner.behave(
          "/hook",
          (exchange, _) -> {
            exchange.getResponseHeaders().add("Retry-After", "7");
            return 503;
          });
      assertThat(sender.send(call(partner.url("/hook"))))
          .isEqualTo(new WebhookOutcome(503, "HTTP 503", 7_000));
    }
  }

  @Test
  void send_redirected_isNotFollowed() throws Exception {
    try (PartnerServer partner = new PartnerServer();
        HttpWebhookSender sender = sender(Map.of())) {
      partner.behave(
          "/hook",
          (exchange, _) -> {
            exchange.getResponseHeaders().add("Location", partner.url("/other"));
            return 307;
          });
      assertThat(sender.send(call(partner.url("/hook"))).status()).isEqualTo(307);
      assertThat(partner.book("/other").size()).isZero();
    }
  }

  @Test
  void send_hugeAnswer_isReadALittleOnly() throws Exception {
    try (PartnerServer partner = new PartnerServer();
        HttpWebhookSender sender = sender(Map.of())) {
      CountDownLatch cut = new CountDownLatch(1);
      partner.behave(
          "/hook",
          (exchange, _) -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] piece = new byte[64 << 10];
            try {
              for (int i = 0; i < 100_000; i++) {
                exchange.getResponseBody().write(piece);
              }
            } catch (IOException closed) {
              cut.countDown();
            }
            return 0;
          });
      assertThat(sender.send(call(partner.url("/hook"))).status()).isEqualTo(200);
      cut.await();
    }
  }

  @Test
  void send_noAnswer_endsAtTheTimeout() throws Exception {
    try (PartnerServer partner = new PartnerServer();
        HttpWebhookSender sender = sender(Map.of("relay.timeout", "1 s"))) {
      partner.behave(
          "/hook",
          (_, _) -> {
            NEVER.await();
            return 200;
          });
      assertThat(sender.send(call(partner.url("/hook"))))
          .isEqualTo(WebhookOutcome.none("no answer in 1000 ms"));
      partner.behave(
          "/hook",
          (exchange, _) -> {
            exchange.sendResponseHeaders(202, 10);
            exchange.getResponseBody().write('a');
            exchange.getResponseBody().flush();
            NEVER.await();
            return 0;
          });
      assertThat(sender.send(call(partner.url("/hook"))).status())
          .as("the status counts, though the text is slow")
          .isEqualTo(202);
    }
  }

  @Test
  void send_nobodyThere_orConnectionCut_saysSo() throws Exception {
    try (PartnerServer partner = new PartnerServer();
        HttpWebhookSender sender = sender(Map.of())) {
      assertThat(sender.send(call("http://127.0.0.1:" + freePort() + "/")))
          .isEqualTo(WebhookOutcome.none("cannot connect"));
      partner.behave(
          "/hook",
          (_, _) -> {
            throw new IllegalStateException("cuts the connection");
          });
      WebhookOutcome cut = sender.send(call(partner.url("/hook")));
      assertThat(cut.status()).isZero();
      assertThat(cut.error()).isNotEmpty();
    }
  }

  /** Whoever may name a URL would read in the operator's network what no outsider may. */
  @Test
  void send_intoAPrivateNetwork_keepsNothingOfWhatIsAnsweredThere() throws Exception {
    try (PartnerServer partner = new PartnerServer();
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        HttpWebhookSender sender = sender(Map.of())) {
      partner.behave("/hook", (exchange, _) -> reply(exchange, 500, "the-secret-of-the-host"));
      assertThat(sender.send(call(partner.url("/hook"))))
          .isEqualTo(new WebhookOutcome(500, "HTTP 500", 0));
      Thread.startVirtualThread(
          () -> {
            try (Socket accepted = other.accept()) {
              accepted
                  .getOutputStream()
                  .write("SSH-2.0-secret-banner\r\n".getBytes(StandardCharsets.UTF_8));
              accepted.getInputStream().readAllBytes();
            } catch (IOException closed) {
              // The sender hung up.
            }
          });
      String error = sender.send(call("http://127.0.0.1:" + other.getLocalPort() + "/")).error();
      assertThat(error).isNotEmpty().doesNotContain("SSH").doesNotContain("secret");
    }
  }

  @Test
  void send_nameThatLeadsIntoAPrivateNetwork_isRefused_whateverItsUrl() throws Exception {
    try (PartnerServer partner = new PartnerServer();
        HttpWebhookSender sender = sender(Map.of("relay.private-networks", ""))) {
      for (String host : List.of("localhost", "127.0.0.1", "::1", "2130706433")) {
        WebhookCall call = call(new WebhookTarget(false, host, partner.port(), "/hook"));
        assertThat(sender.send(call).error())
            .isIn(
                "the name leads to no address that may be called without TLS",
                "the name cannot be resolved");
        WebhookCall secure = call(new WebhookTarget(true, host, partner.port(), "/hook"));
        assertThat(sender.send(secure).error())
            .isIn("the name leads into a private network", "the name cannot be resolved");
      }
      assertThat(partner.bodies).isEmpty();
      assertThat(sender.send(call(new WebhookTarget(true, "no-such-name.invalid", 443, "/"))))
          .isEqualTo(WebhookOutcome.none("the name cannot be resolved"));
    }
  }

  @Test
  void send_overTls_namesTheHost_andChecksItsCertificate() throws Exception {
    X509Bundle bundle =
        new CertificateBuilder()
            .subject("CN=partner.example.com")
            .setIsCertificateAuthority(true)
            .addSanDnsName("partner.example.com")
            .buildSelfSigned();
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(bundle.toKeyManagerFactory().getKeyManagers(), null, null);
    try (PartnerServer partner = new PartnerServer(tls);
        HttpWebhookSender sender = sender(Map.of(), HttpWebhookSenderTest::loopback, bundle)) {
      BlockingQueue<String> names = new LinkedBlockingQueue<>();
      partner.behave(
          "/hook",
          (exchange, _) -> {
            var session = ((HttpsExchange) exchange).getSSLSession();
            names.add(((ExtendedSSLSession) session).getRequestedServerNames().toString());
            return 200;
          });
      WebhookOutcome outcome =
          sender.send(
              call(new WebhookTarget(true, "partner.example.com", partner.port(), "/hook")));
      assertThat(outcome).isEqualTo(new WebhookOutcome(200, "", 0));
      assertThat(names.poll()).contains("partner.example.com");
      WebhookCall other =
          call(new WebhookTarget(true, "other.example.com", partner.port(), "/hook"));
      assertThat(sender.send(other).error())
          .as("not its name")
          .isEqualTo("TLS cannot be agreed on");
    }
  }

  @Test
  void send_overTlsOfTheOperatorsCa_isTrustedBesideTheJdks(@TempDir Path folder) throws Exception {
    String name = "partner.example.com";
    X509Bundle ca =
        new CertificateBuilder()
            .subject("CN=our own authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    X509Bundle bundle =
        new CertificateBuilder().subject("CN=partner").addSanDnsName(name).buildIssuedBy(ca);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(bundle.toKeyManagerFactory().getKeyManagers(), null, null);
    String encoded = Base64.getMimeEncoder().encodeToString(ca.getCertificate().getEncoded());
    Path pem =
        Files.writeString(
            folder.resolve("ca.pem"),
            "-----BEGIN CERTIFICATE-----\n" + encoded + "\n-----END CERTIFICATE-----\n");
    RelayConfig config =
        RelayConfig.from(
            new Settings(
                Map.of("relay.private-networks", "127.0.0.0/8", "relay.ca", pem.toString())));
    AddressGuard guard = new AddressGuard(config.addresses().privateNetworks());
    X509TrustManager trust = Objects.requireNonNull(config.addresses().trust());
    assertThat(trust.getAcceptedIssuers()).as("the JDK's too").hasSizeGreaterThan(10);
    try (PartnerServer partner = new PartnerServer(tls);
        HttpWebhookSender sender =
            new HttpWebhookSender(
                () -> config, guard, HttpWebhookSenderTest::loopback, TrustOptions.wrap(trust));
        HttpWebhookSender other =
            new HttpWebhookSender(() -> config, guard, HttpWebhookSenderTest::loopback, null)) {
      partner.behave("/hook", (exchange, _) -> reply(exchange, 200, ""));
      WebhookCall call = call(new WebhookTarget(true, name, partner.port(), "/hook"));
      assertThat(sender.send(call)).isEqualTo(new WebhookOutcome(200, "", 0));
      assertThat(other.send(call).error()).isEqualTo("TLS cannot be agreed on");
    }
  }

  @Test
  void send_toAnIpv6Address_isAnswered_underItsNameInBrackets() throws Exception {
    HttpServer partner =
        HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0), 0);
    BlockingQueue<String> hosts = new LinkedBlockingQueue<>();
    partner.createContext(
        "/hook",
        exchange -> {
          hosts.add(exchange.getRequestHeaders().getFirst("Host"));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    partner.start();
    try (HttpWebhookSender sender = sender(Map.of("relay.private-networks", "::1"))) {
      int port = partner.getAddress().getPort();
      WebhookTarget target = new WebhookTarget(false, "::1", port, "/hook");
      assertThat(sender.send(call(target))).isEqualTo(new WebhookOutcome(204, "", 0));
      assertThat(hosts.poll()).isEqualTo("[::1]:" + port);
    } finally {
      partner.stop(0);
    }
  }

  /** Resolves every name to this machine. */
  private static List<InetAddress> loopback(String host, long millisMax) {
    return List.of(InetAddress.getLoopbackAddress());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static int reply(HttpExchange exchange, int status, String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
    return 0;
  }

  static HttpWebhookSender sender(Map<String, String> settings) throws Exception {
    return sender(settings, new Resolver(), null);
  }

  private static HttpWebhookSender sender(
      Map<String, String> settings, HostNames hostNames, @Nullable X509Bundle trusted)
      throws Exception {
    Map<String, String> all = new HashMap<>(Map.of("relay.private-networks", "127.0.0.0/8"));
    all.putAll(settings);
    RelayConfig config = RelayConfig.from(new Settings(all));
    PemTrustOptions trust =
        trusted == null
            ? null
            : new PemTrustOptions().addCertValue(Buffer.buffer(trusted.getCertificatePathPEM()));
    return new HttpWebhookSender(
        () -> config, new AddressGuard(config.addresses().privateNetworks()), hostNames, trust);
  }

  static WebhookCall call(String url) {
    if (WebhookTarget.read(url, new AddressGuard(Networks.of(List.of("127.0.0.0/8"))))
        instanceof WebhookTarget.Reading.Good(WebhookTarget target)) {
      return call(target);
    }
    throw new AssertionError(url);
  }

  private static WebhookCall call(WebhookTarget target) {
    long seconds = Orders.BEGIN / 1000;
    String signature = WebhookSignature.header("d:1", seconds, BODY, List.of(Orders.SECRET));
    return new WebhookCall(target, "d:1", seconds, signature, BODY, null, 0);
  }
}
