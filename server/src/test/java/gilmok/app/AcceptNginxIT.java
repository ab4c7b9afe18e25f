package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program.Ended;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code gilmok accept} of what a real nginx ends TLS for, by a certificate of the fleet's own. */
@Tag("engine")
@Timeout(360)
final class AcceptNginxIT {
  private static final Map<String, String> LOGIN =
      Map.of("AWS_ACCESS_KEY_ID", "AKIDSHOWNNOWHERE", "AWS_SECRET_ACCESS_KEY", "shown-nowhere");

  @TempDir Path folder;

  private static Ended accept(Map<String, String> environment, int port) throws Exception {
    String[] arguments = {
      "accept", "--s3=s3://tls/below", "--s3-endpoint=https://127.0.0.1:" + port
    };
    try (Program program = Program.startIn(environment, arguments)) {
      return program.end();
    }
  }

  @Test
  void certificateOfTheFleetsOwn_isRefusedUntilJavaTrustsIt() throws Exception {
    X509Bundle authority =
        new CertificateBuilder()
            .subject("CN=authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    X509Bundle server =
        new CertificateBuilder()
            .subject("CN=server")
            .addSanIpAddress("127.0.0.1")
            .buildIssuedBy(authority);
    Files.writeString(folder.resolve("server.pem"), server.getCertificatePathPEM());
    Files.writeString(folder.resolve("server.key"), server.getPrivateKeyPEM());
    Path trusted = folder.resolve("trusted.p12");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("authority", authority.getCertificate());
    try (OutputStream out = Files.newOutputStream(trusted)) {
      store.store(out, "trusted".toCharArray());
    }
    int port = Nginx.freePort();
    String http =
        """
        server { listen 80; return 204; }
        server {
          listen 127.0.0.1:%d ssl;
          ssl_certificate %s/server.pem;
          ssl_certificate_key %s/server.key;
          return 404;
        }
        """
            .formatted(port, folder, folder);
    try (Nginx _ = Nginx.start(Files.createDirectory(folder.resolve("nginx")), http)) {
      Ended stranger = accept(LOGIN, port);
      assertThat(stranger.code()).isEqualTo(1);
      assertThat(stranger.out())
          .containsPattern("TLS +127\\.0\\.0\\.1:\\d+: .* FAIL")
          .contains("unable to find valid certification path")
          .containsPattern("objects can be put .* FAIL")
          .containsPattern("cleaned up +nothing was put +pass")
          .contains("-Djavax.net.ssl.trustStore");

      Map<String, String> environment = new HashMap<>(LOGIN);
      environment.put(
          "JAVA_TOOL_OPTIONS",
          "-Djavax.net.ssl.trustStore=" + trusted + " -Djavax.net.ssl.trustStorePassword=trusted");
      assertThat(accept(environment, port).out())
          .containsPattern("TLS +TLSv1\\.\\d, TLS_\\w+: trusted, and names 127\\.0\\.0\\.1 +pass")
          .containsPattern("certificate +ends on .*, in \\d+ days.* pass")
          .containsPattern("clock +0\\.\\d s .* pass")
          .contains("refused: s3:PutObject on tls (404, no reason)");
    }
  }
}
