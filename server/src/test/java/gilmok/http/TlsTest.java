package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import gilmok.trace.Tracer;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with certificate and key files that change. */
@Tag("server")
final class TlsTest {
  @TempDir Path folder;
  private Path certificate;
  private Path key;
  private X509Bundle first;

  @BeforeEach
  void writeFirst() throws Exception {
    certificate = folder.resolve("tls.crt");
    key = folder.resolve("tls.key");
    first = OverTls.bundle("first");
    write(first, first);
  }

  private void write(X509Bundle ofCertificate, X509Bundle ofKey) throws IOException {
    Files.writeString(key, ofKey.getPrivateKeyPEM());
    Files.writeString(certificate, ofCertificate.getCertificatePathPEM());
  }

  private static SSLSocket connect(Edge edge, X509Bundle... trusted) throws Exception {
    SSLSocket socket =
        (SSLSocket)
            OverTls.trusting(trusted)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), edge.listener.port());
    socket.startHandshake();
    return socket;
  }

  private static String shown(Edge edge, X509Bundle... trusted) {
    try (SSLSocket socket = connect(edge, trusted)) {
      X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return shown.getSubjectX500Principal().getName();
    } catch (Exception e) {
      return String.valueOf(e);
    }
  }

  @Test
  void tls_bothVersionsOfHttp_areAnswered() throws Exception {
    try (Edge edge = new Edge(config -> config.tls(certificate, key))) {
      URI uri = URI.create("https://127.0.0.1:" + edge.listener.port() + "/query?q=1");
      for (HttpClient.Version version : HttpClient.Version.values()) {
        if (!version.name().equals("HTTP_3")) {
          try (HttpClient client =
              HttpClient.newBuilder()
                  .sslContext(OverTls.trusting(first))
                  .version(version)
                  .build()) {
            HttpResponse<String> answer =
                client.send(
                    HttpRequest.newBuilder(uri).header("X-Api-Key", Edge.KEY).build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.version()).isEqualTo(version);
          }
        }
      }
      try (SSLSocket socket = connect(edge, first);
          Wire wire = new Wire(socket)) {
        assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
        assertThat(wire.get("/query?q=1").read().text()).isEqualTo("1");
        assertThat(wire.post("/echo", new byte[3_000_000]).read().body()).hasSize(3_000_000);
      }
    }
  }

  @Test
  void files_changed_areReadAgain() throws Exception {
    try (Edge edge = new Edge(config -> config.tls(certificate, key));
        LogLines log = new LogLines();
        SSLSocket old = connect(edge, first);
        Wire wire = new Wire(old)) {
      assertThat(shown(edge, first)).isEqualTo("CN=first");
      X509Bundle second = OverTls.bundle("second");
      write(second, first);
      Edge.await(() -> log.lines().stream().anyMatch(line -> line.contains("cannot be used")));
      assertThat(shown(edge, first, second)).isEqualTo("CN=first");
      write(second, second);
      Edge.await(() -> shown(edge, first, second).equals("CN=second"));
      Files.writeString(certificate, "nonsense");
      Edge.await(
          () -> log.lines().stream().filter(line -> line.contains("cannot be used")).count() >= 2);
      assertThat(shown(edge, second)).isEqualTo("CN=second");
      // Open connections are not affected.
      assertThat(wire.get("/query?q=1").read().text()).isEqualTo("1");
      assertThat(log.lines().size()).isBetween(3, 5);
    }
  }

  @Test
  void metrics_sayWhenTheCertificateInForceEnds() throws Exception {
    TlsConfig config = new TlsConfig(certificate, key, Duration.ofHours(1));
    try (Meters meters = new Meters();
        TlsFiles files = new TlsFiles(config, new RequestMeters(meters, Tracer.NONE))) {
      String name = "gilmok_http_certificate_expiry_timestamp_seconds ";
      X509Bundle second = OverTls.bundle("second", Instant.ofEpochSecond(2_500_000_000L));
      assertThat(text(meters)).contains(name).doesNotContain(name + "2.5E9\n");

      write(second, first); // refused: the old one stays in force
      assertThatThrownBy(() -> files.take(config, List.of())).isInstanceOf(IOException.class);
      assertThat(text(meters)).doesNotContain(name + "2.5E9\n");

      write(second, second);
      assertThat(files.take(config, List.of())).isTrue();
      assertThat(text(meters)).contains(name + "2.5E9\n");
    }
  }

  private static String text(Meters meters) {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }

  @Test
  void files_noPair_stopTheStart() throws Exception {
    write(OverTls.bundle("other"), first);
    assertThatThrownBy(() -> new Edge(config -> config.tls(certificate, key)).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not belong");
    Files.delete(key);
    assertThatThrownBy(() -> new Edge(config -> config.tls(certificate, key)).close())
        .isInstanceOf(IOException.class);
  }

  @Test
  void handshake_garbage_isClosedAndNotLogged() throws Exception {
    try (Edge edge = new Edge(config -> config.tls(certificate, key));
        LogLines log = new LogLines()) {
      for (String garbage :
          new String[] {"GET / HTTP/1.1\r\n\r\n", "\u0016\u0003\u0001zzzzzzz", "x"}) {
        try (Wire wire = edge.wire()) {
          wire.send(garbage);
          wire.socket().shutdownOutput();
          assertThat(wire.isClosedByServer()).isTrue();
        }
      }
      try (Wire wire = edge.wire()) {
        wire.send("\u0016\u0003");
      }
      // This client does not trust the server's certificate.
      assertThat(shown(edge, OverTls.bundle("stranger"))).contains("SSLHandshakeException");
      Edge.await(() -> edge.listener.connections() == 0);
      assertThat(shown(edge, first)).isEqualTo("CN=first");
      assertThat(log.lines()).isEmpty();
    }
  }
}
