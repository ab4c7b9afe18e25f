package gilmok.sinks.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.AckPhones;
import gilmok.app.Program;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code collect.ack: kafka} with three brokers: one is stopped under load, the node is killed, its
 * volume is gone. Everything that was acknowledged is in the topic, and what is there twice has one
 * dedup key.
 */
@Tag("engine")
@Timeout(240)
final class KafkaAckIT {
  @TempDir Path folder;
  private final String prefix = "ack-" + System.nanoTime() + ".";
  private final JsonMapper mapper = new JsonMapper();
  private final AckPhones phones = new AckPhones("kafka");

  @AfterEach
  void stop() {
    phones.close();
    assertThat(phones.otherwise).as("acknowledged by somebody else").isEmpty();
  }

  private Program serve() throws Exception {
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.addAll(
        List.of(
            "--set=sinks.enabled=kafka",
            "--set=sinks.kafka.bootstrap-servers=" + KafkaKit.shared().servers(),
            "--set=sinks.kafka.topic-prefix=" + prefix,
            "--set=sinks.kafka.create-topics=true",
            "--set=sinks.kafka.retry-min=5 ms",
            "--set=collect.ack=kafka"));
    Program program =
        Program.startIn(
            Map.of("GILMOK_ADMIN_KEY", AckPhones.KEY), arguments.toArray(String[]::new));
    program.awaitReady();
    return program;
  }

  /** The dedup keys of each record in the topic, by the phone's id. */
  private Map<String, Set<String>> found() throws Exception {
    Map<String, Set<String>> found = new HashMap<>();
    for (ConsumerRecord<String, String> one : KafkaKit.shared().topics().read(prefix + "traces")) {
      String id = mapper.readTree(one.value()).path("record").path("id").asString();
      found
          .computeIfAbsent(id, _ -> new HashSet<>())
          .add(KafkaTopics.header(one, "gilmok-dedup-key"));
    }
    return found;
  }

  @Test
  void brokerStopped_nodeKilled_volumeLost_nothingAcknowledgedIs() throws Exception {
    for (int life = 0; life < 2; life++) {
      AckPhones.Riding riding;
      try (Program node = serve()) {
        riding = phones.ride(node);
        phones.awaitMore(100);
        KafkaKit.shared().stop(life);
        phones.awaitMore(50);
        KafkaKit.shared().start(life);
        phones.awaitMore(50);
        assertThat(phones.residue(node)).as("residue").isZero();
      } // killed
      riding.end();
      AckPhones.delete(folder.resolve("data"));
    }
    Map<String, Set<String>> found = found();
    assertThat(found.keySet()).as("found in the topic").containsAll(phones.acknowledged);
    assertThat(found).allSatisfy((id, keys) -> assertThat(keys).as(id).hasSize(1));
  }

  @Test
  void tooFewBrokers_isSaid_andItAnswersAgainByItself() throws Exception {
    try (Program node = serve()) {
      URI uri = node.uri("/v1/traces");
      AckPhones.Riding riding = phones.ride(node);
      phones.awaitMore(50);
      // One broker is left, which may not acknowledge alone.
      KafkaKit.shared().stop(0);
      KafkaKit.shared().stop(1);
      Program.await(() -> isRefused(uri));
      KafkaKit.shared().start(0, 1);
      phones.awaitMore(50);
      riding.end();
      assertThat(phones.residue(node)).as("residue").isZero();
    }
    assertThat(found().keySet()).as("found in the topic").containsAll(phones.acknowledged);
    assertThat(phones.unknown).as("not answered").isEmpty();
  }

  private boolean isRefused(URI uri) {
    try {
      HttpResponse<String> response = phones.send(uri, "refused-" + System.nanoTime());
      return response.statusCode() == 503 && response.body().contains("sink-away");
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }
}
