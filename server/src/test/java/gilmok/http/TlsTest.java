package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
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

  /** When a certificate ends, as the metrics have it. */
  private static double end(X509Bundle bundle) {
    return bundle.getCertificate().getNotAfter().toInstant().toEpochMilli() / 1e3;
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
      X509Bundle second = OverTls.bundle("second", Instant.parse("2049-05-06T07:08:09Z"));
      assertThat(edge.certificateEnd.getAsDouble()).isEqualTo(end(first)).isNotEqualTo(end(second));
      write(second, first);
      Edge.await(() -> log.lines().stream().anyMatch(line -> line.contains("cannot be used")));
      assertThat(shown(edge, first, second)).isEqualTo("CN=first");
      write(second, second);
      Edge.await(() -> shown(edge, first, second).equals("CN=second"));
      Files.writeString(certificate, "nonsense");
      Edge.await(
          () -> log.lines().stream().filter(line -> line.contains("cannot be used")).count() >= 2);
      assertThat(shown(edge, second)).isEqualTo("CN=second");
      Edge.await(() -> edge.certificateEnd.getAsDouble() == end(second));
      // Open connections are not affected.
      assertThat(wire.get("/query?q=1").read().text()).isEqualTo("1");
      assertThat(log.lines().size()).isBetween(3, 5);
    }
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
