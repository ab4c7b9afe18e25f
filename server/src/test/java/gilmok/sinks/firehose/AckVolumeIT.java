package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.AckPhones;
import gilmok.app.Program;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
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
  @TempDir Path folder;
  private final JsonMapper mapper = new JsonMapper();
  private final AckPhones phones = new AckPhones("firehose");
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
    phones.close();
    assertThat(phones.otherwise).as("acknowledged by somebody else").isEmpty();
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
                "GILMOK_ADMIN_KEY", AckPhones.KEY,
                "AWS_ACCESS_KEY_ID", "AKIDTEST",
                "AWS_SECRET_ACCESS_KEY", "a secret of no worth"),
            arguments.toArray(String[]::new));
    program.awaitReady();
    return program;
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
      AckPhones.Riding riding;
      try (Program node = serve()) {
        riding = phones.ride(node);
        phones.awaitMore(150);
      } // killed
      riding.end();
      AckPhones.delete(folder.resolve("data"));
    }
    assertThat(phones.acknowledged).as("acknowledged").hasSizeGreaterThan(300);
    assertThat(found().keySet()).as("found at Firehose").containsAll(phones.acknowledged);
  }

  @Test
  void nodeKilledAndStartedAgain_duplicatesHaveOneKey_andTheAccountAddsUp() throws Exception {
    for (int life = 0; life < 3; life++) {
      AckPhones.Riding riding;
      try (Program node = serve()) {
        URI uri = node.uri("/v1/traces");
        for (String id : List.copyOf(phones.unknown)) {
          phones.send(uri, id); // a phone sends again what is not known
        }
        assertThat(phones.residue(node)).as("residue").isZero();
        riding = phones.ride(node);
        phones.awaitMore(100);
      } // killed
      riding.end();
    }
    Map<String, Set<String>> found = found();
    assertThat(found.keySet()).as("found at Firehose").containsAll(phones.acknowledged);
    assertThat(found).allSatisfy((id, keys) -> assertThat(keys).as(id).hasSize(1));
  }
}
