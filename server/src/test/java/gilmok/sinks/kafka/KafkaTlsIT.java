package gilmok.sinks.kafka;

import static gilmok.sinks.kafka.KafkaBatches.positions;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Stream;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sink with a broker over TLS: by a password, and by a certificate of its own. */
@Tag("engine")
@Timeout(300)
final class KafkaTlsIT {
  private static KafkaProcess broker;
  private static Path files;
  @TempDir Path folder;

  @BeforeAll
  static void start(@TempDir Path shared) throws Exception {
    files = shared;
    X509Bundle authority = authority("authority");
    write("server", authority, true);
    write("client", authority, false);
    write("stranger", authority("other"), false);
    Path data = Files.createDirectory(shared.resolve("broker"));
    broker = KafkaProcess.startWithTls(data, files.resolve("server.pem"), of("authority"));
  }

  @AfterAll
  static void stop() throws Exception {
    if (broker != null) {
      broker.close();
    }
  }

  private static X509Bundle authority(String name) throws Exception {
    X509Bundle made =
        new CertificateBuilder()
            .subject("CN=" + name)
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    Files.writeString(of(name), made.getCertificatePEM());
    return made;
  }

  private static void write(String name, X509Bundle issuer, boolean isServer) throws Exception {
    CertificateBuilder builder = new CertificateBuilder().subject("CN=" + name);
    X509Bundle made =
        (isServer ? builder.addSanIpAddress("127.0.0.1") : builder).buildIssuedBy(issuer);
    Files.writeString(of(name), made.getPrivateKeyPEM() + "\n" + made.getCertificatePathPEM());
  }

  private static Path of(String name) {
    return files.resolve(name + ".pem");
  }

  private KafkaRig rig(String servers) {
    return new KafkaRig(
        servers,
        broker.topics(),
        "create-topics",
        "true",
        "streams",
        "traces",
        "partitions",
        "1",
        "unsafe-min-insync-replicas",
        "true",
        "min-insync-replicas",
        "1",
        "send-timeout",
        "3 s",
        "client-file",
        file().toString());
  }

  private Path file() {
    return folder.resolve("client.properties");
  }

  private void password(String password, String authority) throws Exception {
    Files.writeString(
        file(),
        """
        security.protocol=SASL_SSL
        sasl.mechanism=SCRAM-SHA-512
        sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \
        username="%s" password="%s";
        ssl.truststore.type=PEM
        ssl.truststore.location=%s
        """
            .formatted(KafkaProcess.USER, password, of(authority)));
  }

  private void certificate(String name) throws Exception {
    Files.writeString(
        file(),
        """
        security.protocol=SSL
        ssl.keystore.type=PEM
        ssl.keystore.location=%s
        ssl.truststore.type=PEM
        ssl.truststore.location=%s
        """
            .formatted(of(name), of("authority")));
  }

  private static String denied(KafkaRig rig) throws Exception {
    Verdict verdict = rig.sink.send(positions(1, 10));
    assertThat(verdict).isInstanceOf(Verdict.Retry.class);
    Verdict.Retry retry = (Verdict.Retry) verdict;
    assertThat(retry.cause()).as(retry.detail()).isEqualTo(Cause.DENIED);
    assertThat(rig.sink.probe()).isEqualTo(retry.detail());
    return retry.detail();
  }

  private static void arrives(KafkaRig rig) throws Exception {
    assertThat(rig.ship(positions(1, 10))).isEqualTo(10);
    assertThat(rig.read(Stream.TRACES)).hasSize(10);
  }

  @Test
  void password_wrongOne_isDeniedAndNeverTold_andTheRightOneCountsAtOnce() throws Exception {
    password("not-th3-one", "authority");
    try (KafkaRig rig = rig(broker.scramServers())) {
      assertThat(denied(rig))
          .startsWith(broker.scramServers() + ": the client is not let in")
          .doesNotContain("not-th3-one");
      password(KafkaProcess.PASSWORD, "authority");
      arrives(rig);
    }
  }

  @Test
  void brokersCertificate_ofAnUntrustedIssuer_isNamed_andCountsOnceTrusted() throws Exception {
    password(KafkaProcess.PASSWORD, "other");
    try (KafkaRig rig = rig(broker.scramServers())) {
      assertThat(denied(rig))
          .startsWith(broker.scramServers() + ": no TLS with the broker")
          .contains("certification path")
          .doesNotContain(KafkaProcess.PASSWORD);
      password(KafkaProcess.PASSWORD, "authority");
      arrives(rig);
    }
  }

  @Test
  void brokersCertificate_ofAnotherName_isNamed() throws Exception {
    password(KafkaProcess.PASSWORD, "authority");
    try (KafkaRig rig = rig(broker.scramServers().replace("127.0.0.1", "localhost"))) {
      assertThat(denied(rig)).contains("no TLS with the broker").contains("localhost");
    }
  }

  @Test
  void ownCertificate_ofAStranger_isDenied_andTheRightOneCounts() throws Exception {
    certificate("stranger");
    try (KafkaRig rig = rig(broker.mutualServers())) {
      assertThat(denied(rig)).startsWith(broker.mutualServers() + ": no TLS with the broker");
      certificate("client");
      arrives(rig);
    }
  }

  @Test
  void brokerAway_isSaid_andItGoesOnWhenTheBrokerIsBack() throws Exception {
    password(KafkaProcess.PASSWORD, "authority");
    try (KafkaRig rig = rig(broker.scramServers())) {
      rig.ship(positions(1, 10));
      broker.kill();
      Verdict verdict = rig.sink.send(positions(11, 10));
      assertThat(verdict).isInstanceOf(Verdict.Retry.class);
      verdict = rig.sink.send(positions(11, 10)); // by a client that is opened anew
      assertThat(((Verdict.Retry) verdict).cause()).isEqualTo(Cause.UNREACHABLE);
      assertThat(((Verdict.Retry) verdict).detail())
          .startsWith(broker.scramServers() + ": no broker answers");
      broker.restart();
      assertThat(rig.ship(positions(11, 10))).isEqualTo(10);
      assertThat(
              rig.idsByKey(Stream.TRACES).values().stream().flatMap(ids -> ids.stream().distinct()))
          .hasSize(20);
    }
  }
}
