package gilmok.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.doctor.Check;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said of certificates that a client would refuse. */
@Tag("unit")
@Timeout(60)
final class TlsProbeTest {
  private static List<Check> look(X509Bundle shown, boolean isJavas) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(shown.toKeyManagerFactory().getKeyManagers(), null, null);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (SSLServerSocket listener =
        (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 5, loopback)) {
      Thread.ofVirtual().start(() -> serve(listener));
      return new TlsProbe("127.0.0.1", listener.getLocalPort(), Duration.ofSeconds(10))
          .look(isJavas);
    }
  }

  private static void serve(SSLServerSocket listener) {
    while (!listener.isClosed()) {
      try (SSLSocket socket = (SSLSocket) listener.accept()) {
        socket.startHandshake();
        boolean _ = socket.getInputStream().read() < 0;
      } catch (IOException refused) {
        // A client that does not trust it says so, and goes.
      }
    }
  }

  private static CertificateBuilder server() {
    return new CertificateBuilder().subject("CN=server").setIsCertificateAuthority(true);
  }

  @Test
  void whoIsNotTrusted_isNamed_andItsCertificateIsShown() throws Exception {
    X509Bundle own = server().addSanIpAddress("127.0.0.1").buildSelfSigned();
    List<Check> checks = look(own, true);
    assertThat(checks.getFirst().what()).isEqualTo("TLS");
    assertThat(checks.getFirst().verdict()).isEqualTo("look");
    assertThat(checks.getFirst().seen()).contains("certification path");
    assertThat(checks.getFirst().advice()).contains("trustStore");
    assertThat(checks.getLast().what()).isEqualTo("certificate");
  }

  @Test
  void certificateThatEndsSoon_orHasEnded_isSaid() throws Exception {
    Instant now = Instant.now();
    X509Bundle late =
        server()
            .notBefore(now.minus(Duration.ofDays(90)))
            .notAfter(now.plus(Duration.ofHours(80)))
            .buildSelfSigned();
    assertThat(look(late, false).getLast().seen()).contains("in 3 days").contains("ends on");
    X509Bundle over =
        server()
            .notBefore(now.minus(Duration.ofDays(90)))
            .notAfter(now.minus(Duration.ofDays(1)))
            .buildSelfSigned();
    Check ended = look(over, false).getLast();
    assertThat(ended.seen()).startsWith("ended on");
    assertThat(ended.verdict()).isEqualTo("look");
  }

  @Test
  void clientsOwnTrust_onlyTheCertificateIsLookedAt() throws Exception {
    List<Check> checks = look(server().buildSelfSigned(), false);
    assertThat(checks.getFirst().seen()).startsWith("TLSv1.3, TLS_");
    assertThat(checks.getFirst().verdict()).isEqualTo("well");
  }

  @Test
  void whoSpeaksNoTls_isSaid() {
    List<Check> checks = new TlsProbe("127.0.0.1", 1, Duration.ofSeconds(1)).look(true);
    assertThat(checks.getFirst().verdict()).isEqualTo("look");
    assertThat(checks.getFirst().seen()).contains("127.0.0.1:1: ConnectException");
  }
}
