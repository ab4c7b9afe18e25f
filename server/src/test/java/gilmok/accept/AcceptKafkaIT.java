package gilmok.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.sinks.kafka.KafkaKit;
import io.netty.pkitesting.CertificateBuilder;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code gilmok accept --kafka} against three real brokers. */
@Tag("engine")
@Timeout(240)
final class AcceptKafkaIT {
  @TempDir Path folder;

  private static Admin admin() throws Exception {
    return Admin.create(Map.of("bootstrap.servers", KafkaKit.shared().servers()));
  }

  @Test
  void brokersThatAreWell_areAccepted_andTheTopicIsGone() throws Exception {
    Accepting said = Accepting.of("--kafka=" + KafkaKit.shared().servers(), "--json");
    assertThat(said.code()).as(said.text()).isZero();
    assertThat(said.check("answers")).isEqualTo("pass: 3 brokers");
    assertThat(said.check("a topic can be made, and is safe")).startsWith("pass: ");
    assertThat(said.check("records arrive, each rider's in order")).startsWith("pass: 10 of 10");
    assertThat(said.check("clock")).startsWith("pass: ");
    assertThat(said.check("cleaned up")).startsWith("pass: nothing is left");
    assertThat(said.times("a batch of 100 records")).isEqualTo(20);
    try (Admin admin = admin()) {
      assertThat(admin.listTopics().names().get()).noneMatch(name -> name.contains(".accept."));
    }
  }

  @Test
  void aTopicWithoutTheRight_isNamed_andStays() throws Exception {
    AclBinding deny =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, "denied.traces", PatternType.LITERAL),
            new AccessControlEntry(
                "User:ANONYMOUS", "*", AclOperation.WRITE, AclPermissionType.DENY));
    AclBinding allow =
        new AclBinding(
            deny.pattern(),
            new AccessControlEntry(
                "User:ANONYMOUS", "*", AclOperation.ALL, AclPermissionType.ALLOW));
    try (Admin admin = admin()) {
      NewTopic topic = new NewTopic("denied.traces", 1, (short) 3);
      admin.createTopics(List.of(topic.configs(Map.of("min.insync.replicas", "2")))).all().get();
      admin.createAcls(List.of(deny, allow)).all().get();
      try {
        Accepting said =
            Accepting.of(
                "--kafka=" + KafkaKit.shared().servers(), "--kafka-prefix=denied.", "--json");
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.check("the topic is there, and is safe")).startsWith("pass: ");
        assertThat(said.check("records arrive, each rider's in order"))
            .startsWith("fail: DENIED: ")
            .contains("no right for the topic denied.traces: Write");
        assertThat(said.check("cleaned up")).startsWith("pass: what was sent stays");
        assertThat(admin.listTopics().names().get()).contains("denied.traces");
      } finally {
        admin.deleteAcls(List.of(deny.toFilter(), allow.toFilter())).all().get();
        admin.deleteTopics(List.of("denied.traces")).all().get();
      }
    }
  }

  @Test
  void whoNeverAnswers_isSaidInTime() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Accepting said =
          Accepting.of(
              "--kafka=127.0.0.1:" + silent.getLocalPort(),
              "--set=sinks.kafka.send-timeout=1s",
              "--json");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.check("answers"))
          .startsWith("fail: 127.0.0.1:")
          .contains("no broker answers");
    }
  }

  @Test
  void brokersWithoutTls_areSaid_whereTheFileAsksForIt() throws Exception {
    Path authority = folder.resolve("authority.pem");
    Files.writeString(
        authority,
        new CertificateBuilder()
            .subject("CN=authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned()
            .getCertificatePEM());
    Path file = folder.resolve("client.properties");
    Files.writeString(
        file,
        "security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.location=" + authority);
    Accepting said =
        Accepting.of(
            "--kafka=" + KafkaKit.shared().servers(),
            "--set=sinks.kafka.client-file=" + file,
            "--set=sinks.kafka.send-timeout=1s",
            "--json");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.check("answers")).startsWith("fail: ");
  }
}
