package gilmok.warmup.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.app.RunningServer;
import gilmok.warmup.Http2Client;
import gilmok.warmup.LoopbackClient;
import gilmok.warmup.ScriptClient;
import gilmok.warmup.WarmUpReport;
import gilmok.warmup.WarmUpWindow;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with TLS is warmed up over TLS, too, by HTTP/1.1 and HTTP/2. */
@Tag("server")
final class WarmUpOverTlsIT {
  @TempDir Path data;
  @TempDir Path folder;

  /** A certificate for a name that this machine does not have, as a fleet's is. */
  private X509Bundle write() throws Exception {
    X509Bundle bundle =
        new CertificateBuilder()
            .subject("CN=fleet.example.com")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    Files.writeString(folder.resolve("tls.key"), bundle.getPrivateKeyPEM());
    Files.writeString(folder.resolve("tls.crt"), bundle.getCertificatePathPEM());
    return bundle;
  }

  private RunningServer start(String... more) throws Exception {
    write();
    List<String> settings =
        List.of(
            "tls.certificate=" + folder.resolve("tls.crt"),
            "tls.key=" + folder.resolve("tls.key"),
            "run-sheets.process=inside");
    return RunningServer.start(
        data, Stream.concat(settings.stream(), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void itsOwnRequests_areAnsweredOverBothProtocols_asItsScriptsSay() throws Exception {
    try (RunningServer server = start("warm-up.on=true", "warm-up.limit=6 s")) {
      server.server().warmUp();
      WarmUpReport report = server.server().warmUpReport();
      assertThat(report.surprises()).isEmpty();
      WarmUpWindow afterBranches =
          report.curve().stream()
              .filter(window -> window.phase() != WarmUpWindow.Phase.BRANCHES)
              .findFirst()
              .orElseThrow();
      assertThat(afterBranches.phase())
          .as("requests over TLS, before the compiler is waited for")
          .isEqualTo(WarmUpWindow.Phase.LOAD);
    }
  }

  @Test
  void theClientsOfTheWarmUp_trustTheServersCertificate_andNoOther() throws Exception {
    byte[] request =
        "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.UTF_8);
    try (RunningServer server = start()) {
      int port = server.server().port();
      SSLContext own = OwnCertificate.trusted(folder.resolve("tls.crt"));
      try (ScriptClient older = new LoopbackClient(port, own.getSocketFactory());
          ScriptClient newer = new Http2Client(port, own)) {
        assertThat(older.exchange(request)).isEqualTo(200);
        assertThat(newer.exchange(request)).isEqualTo(200);
      }
      write();
      SSLContext other = OwnCertificate.trusted(folder.resolve("tls.crt"));
      try (ScriptClient older = new LoopbackClient(port, other.getSocketFactory());
          ScriptClient newer = new Http2Client(port, other)) {
        assertThatThrownBy(() -> older.exchange(request))
            .isInstanceOf(IOException.class)
            .hasStackTraceContaining("another certificate");
        assertThatThrownBy(() -> newer.exchange(request))
            .isInstanceOf(IOException.class)
            .hasStackTraceContaining("another certificate");
      }
    }
  }
}
