package gilmok.sinks.firehose;

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
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code collect.ack: firehose}: a node is killed under load, and its volume is gone with it.
 * Everything that it had acknowledged is at Firehose, and what is there twice has one dedup key.
 */
@Tag("process")
@Timeout(180)
final class AckVolumeIT {
  private static final String KEY = "an-admin-key-of-this-test";
  private static final int RIDERS = 6;

  @TempDir Path folder;
  private final JsonMapper mapper = new JsonMapper();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();
  private final Queue<String> otherwise = new ConcurrentLinkedQueue<>();
  private final Queue<String> taken = new ConcurrentLinkedQueue<>();
  private final AtomicInteger calls = new AtomicInteger();
  private FakeFirehose firehose;

  @BeforeEach
  void start() throws IOException {
    firehose = new FakeFirehose(this::answer);
  }

  /** Each third call takes every second record only, each seventh asks to be sent less. */
  private FakeFirehose.Answer answer(List<String> records) {
    int call = calls.incrementAndGet();
    if (call % 7 == 0) {
      return FakeFirehose.error(400, "LimitExceededException");
    }
    boolean isPart = call % 3 == 0;
    for (int i = 0; i < records.size(); i += isPart ? 2 : 1) {
      taken.add(records.get(i));
    }
    return isPart
        ? FakeFirehose.entries(records, "", "ServiceUnavailableException")
        : FakeFirehose.taken(records);
  }

  @AfterEach
  void stop() {
    firehose.close();
    client.close();
    assertThat(otherwise).as("acknowledged by somebody else").isEmpty();
  }

  private Program serve(String... more) throws Exception {
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.addAll(
        List.of(
            "--set=sinks.enabled=firehose",
            "--set=sinks.firehose.stream=test",
            "--set=sinks.firehose.region=eu-west-1",
            "--set=sinks.firehose.endpoint=" + firehose.uri(),
            "--set=sinks.firehose.retry-min=5 ms",
            "--set=collect.ack=firehose"));
    arguments.addAll(List.of(more));
    Program program =
        Program.startIn(
            Map.of(
                "GILMOK_ADMIN_KEY", KEY,
                "AWS_ACCESS_KEY_ID", "AKIDTEST",
                "AWS_SECRET_ACCESS_KEY", "a secret of no worth"),
            arguments.toArray(String[]::new));
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

  /** A rider's phone: sends, and sends again what was not acknowledged. */
  private void ride(URI uri, int rider, AtomicBoolean isOver) {
    for (int i = 0; !isOver.get(); i++) {
      String id = rider + "-" + i;
      try {
        HttpResponse<String> response = send(uri, id);
        if (response.statusCode() == 202) {
          acknowledged.add(id);
          if (!response.body().contains("\"durable\":\"firehose\"")) {
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

  /** The dedup keys of each record that Firehose has, by the phone's id. */
  private Map<String, Set<String>> found() {
    Map<String, Set<String>> found = new HashMap<>();
    for (String record : taken) {
      for (String line : record.split("\n")) {
        JsonNode json = mapper.readTree(line);
        String id = json.path("record").path("id").asString();
        found
            .computeIfAbsent(id, _ -> ConcurrentHashMap.newKeySet())
            .add(json.path("dedupKey").asString());
      }
    }
    return found;
  }

  @Test
  void nodeKilledAndItsVolumeLost_nothingAcknowledgedIs() throws Exception {
    for (int life = 0; life < 2; life++) {
      AtomicBoolean isOver = new AtomicBoolean();
      List<Thread> riders = new ArrayList<>();
      Program node = serve();
      try (node) {
        URI uri = node.uri("/v1/traces");
        int from = acknowledged.size();
        for (int rider = 0; rider < RIDERS; rider++) {
          int own = life * RIDERS + rider;
          riders.add(Thread.ofVirtual().start(() -> ride(uri, own, isOver)));
        }
        Program.await(() -> acknowledged.size() > from + 150);
      } // killed
      isOver.set(true);
      for (Thread rider : riders) {
        rider.join();
      }
      delete(folder.resolve("data"));
    }
    Map<String, Set<String>> found = found();
    assertThat(acknowledged).as("acknowledged").hasSizeGreaterThan(300);
    assertThat(found.keySet()).as("found at Firehose").containsAll(acknowledged);
  }

  @Test
  void nodeKilledAndStartedAgain_duplicatesHaveOneKey_andTheAccountAddsUp() throws Exception {
    for (int life = 0; life < 3; life++) {
      AtomicBoolean isOver = new AtomicBoolean();
      List<Thread> riders = new ArrayList<>();
      Program node = serve();
      try (node) {
        URI uri = node.uri("/v1/traces");
        for (String id : List.copyOf(unknown)) {
          HttpResponse<String> again = send(uri, id); // a phone sends again what is not known
          if (again.statusCode() == 202) {
            acknowledged.add(id);
          }
        }
        assertThat(residue(node)).as("residue").isZero();
        int from = acknowledged.size();
        for (int rider = 0; rider < RIDERS; rider++) {
          int own = life * RIDERS + rider;
          riders.add(Thread.ofVirtual().start(() -> ride(uri, own, isOver)));
        }
        Program.await(() -> acknowledged.size() > from + 100);
      } // killed
      isOver.set(true);
      for (Thread rider : riders) {
        rider.join();
      }
    }
    Map<String, Set<String>> found = found();
    assertThat(found.keySet()).as("found at Firehose").containsAll(acknowledged);
    assertThat(found).allSatisfy((id, keys) -> assertThat(keys).as(id).hasSize(1));
  }

  private long residue(Program node) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(node.uri("/v1/ledger")).header("X-Api-Key", KEY).build();
    return mapper
        .readTree(client.send(request, BodyHandlers.ofString()).body())
        .path("residue")
        .asLong(-1);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }
}
