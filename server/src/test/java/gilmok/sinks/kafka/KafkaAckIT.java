package gilmok.sinks.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
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
  private static final String KEY = "an-admin-key-of-this-test";
  private static final int RIDERS = 6;

  @TempDir Path folder;
  private final String prefix = "ack-" + System.nanoTime() + ".";
  private final JsonMapper mapper = new JsonMapper();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();
  private final Queue<String> otherwise = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stop() {
    client.close();
    assertThat(otherwise).as("acknowledged by somebody else").isEmpty();
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
        Program.startIn(Map.of("GILMOK_ADMIN_KEY", KEY), arguments.toArray(String[]::new));
    program.awaitReady();
    return program;
  }

  private HttpResponse<String> send(URI uri, String id) throws Exception {
    String body = "{\"riderId\":\"r\",\"id\":\"%s\",\"at\":1,\"lat\":1,\"lon\":1}".formatted(id);
    return client.send(
        HttpRequest.newBuilder(uri)
            .header("X-Api-Key", KEY)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** A rider's phone; what is refused it does not send again. */
  private void ride(URI uri, int rider, AtomicBoolean isOver) {
    for (int i = 0; !isOver.get(); i++) {
      String id = rider + "-" + i;
      try {
        HttpResponse<String> response = send(uri, id);
        if (response.statusCode() == 202) {
          acknowledged.add(id);
          if (!response.body().contains("\"durable\":\"kafka\"")) {
            otherwise.add(response.body());
          }
        }
      } catch (IOException gone) {
        unknown.add(id);
        return;
      } catch (Exception failed) {
        throw new IllegalStateException(failed);
      }
    }
  }

  private List<Thread> riders(Program node, int life, AtomicBoolean isOver) throws IOException {
    URI uri = node.uri("/v1/traces");
    List<Thread> riders = new ArrayList<>();
    for (int rider = 0; rider < RIDERS; rider++) {
      int own = life * RIDERS + rider;
      riders.add(Thread.ofVirtual().start(() -> ride(uri, own, isOver)));
    }
    return riders;
  }

  private static void join(List<Thread> riders) throws InterruptedException {
    for (Thread rider : riders) {
      rider.join();
    }
  }

  private void awaitMore(int acknowledgements) throws Exception {
    int from = acknowledged.size();
    Program.await(() -> acknowledged.size() > from + acknowledgements);
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

  private long residue(Program node) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(node.uri("/v1/ledger")).header("X-Api-Key", KEY).build();
    return mapper
        .readTree(client.send(request, BodyHandlers.ofString()).body())
        .path("residue")
        .asLong(-1);
  }

  @Test
  void brokerStopped_nodeKilled_volumeLost_nothingAcknowledgedIs() throws Exception {
    for (int life = 0; life < 2; life++) {
      AtomicBoolean isOver = new AtomicBoolean();
      List<Thread> riders;
      try (Program node = serve()) {
        riders = riders(node, life, isOver);
        awaitMore(100);
        KafkaKit.shared().stop(life);
        awaitMore(50);
        KafkaKit.shared().start(life);
        awaitMore(50);
        assertThat(residue(node)).as("residue").isZero();
      } // killed
      isOver.set(true);
      join(riders);
      delete(folder.resolve("data"));
    }
    Map<String, Set<String>> found = found();
    assertThat(found.keySet()).as("found in the topic").containsAll(acknowledged);
    assertThat(found).allSatisfy((id, keys) -> assertThat(keys).as(id).hasSize(1));
  }

  @Test
  void tooFewBrokers_isSaid_andItAnswersAgainByItself() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> riders;
    try (Program node = serve()) {
      URI uri = node.uri("/v1/traces");
      riders = riders(node, 0, isOver);
      awaitMore(50);
      // One broker is left, which may not acknowledge alone.
      KafkaKit.shared().stop(0);
      KafkaKit.shared().stop(1);
      Program.await(() -> refused(uri));
      KafkaKit.shared().start(0, 1);
      awaitMore(50);
      isOver.set(true);
      join(riders);
      assertThat(residue(node)).as("residue").isZero();
    }
    assertThat(found().keySet()).as("found in the topic").containsAll(acknowledged);
    assertThat(unknown).as("not answered").isEmpty();
  }

  private boolean refused(URI uri) {
    try {
      HttpResponse<String> response = send(uri, "refused-" + System.nanoTime());
      return response.statusCode() == 503 && response.body().contains("sink-away");
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }
}
