package gilmok.sinks.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.sinks.kafka.KafkaConfig.Compression;
import gilmok.sinks.kafka.KafkaConfig.Latest;
import gilmok.sinks.kafka.KafkaConfig.TopicRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class KafkaConfigTest {
  @TempDir Path folder;

  private static KafkaConfig config(String... keysAndValues) {
    Settings settings = settings(keysAndValues);
    KafkaConfig config = KafkaConfig.from(settings, "kafka");
    settings.finish();
    return config;
  }

  private static Settings settings(String... keysAndValues) {
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      settings.put("sinks.kafka." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return new Settings(settings);
  }

  private static List<String> problems(String... keysAndValues) {
    try {
      config(keysAndValues);
      return List.of();
    } catch (InvalidSettings invalid) {
      return invalid.problems();
    }
  }

  @Test
  void defaults() {
    KafkaConfig config = config("bootstrap-servers", "k:9092");
    assertThat(config.clientFile()).isNull();
    assertThat(config.topic(Stream.TRACES)).isEqualTo("gilmok.traces");
    assertThat(config.latest()).isNull();
    assertThat(config.compression()).isEqualTo(Compression.LZ4);
    assertThat(config.sendTimeout()).isEqualTo(Duration.ofSeconds(15));
    assertThat(config.rules()).isEqualTo(new TopicRules(false, 0, 0, 2, false));
    assertThat(config.common().streams()).hasSize(5).doesNotContain(Stream.AUDIT);
    // A batch is a round trip to all brokers, and the next one waits for it.
    assertThat(config.common().tuning().batchRecordsMax()).isEqualTo(5000);
    assertThat(config.common().tuning().maxConcurrency()).isEqualTo(1);
  }

  @Test
  void everyKey_isRead() throws IOException {
    Path file = Files.writeString(folder.resolve("p"), "security.protocol=SSL\n");
    KafkaConfig config =
        config(
            "bootstrap-servers", "one:9092,two:9093",
            "client-file", file.toString(),
            "topic-prefix", "fleet-",
            "latest-topic", "newest",
            "latest-riders-max", "5000",
            "compression", "zstd",
            "send-timeout", "30 s",
            "create-topics", "true",
            "partitions", "12",
            "replicas", "3",
            "min-insync-replicas", "1",
            "unsafe-min-insync-replicas", "true");
    assertThat(config.bootstrapServers()).isEqualTo("one:9092,two:9093");
    assertThat(config.clientFile()).isEqualTo(file);
    assertThat(config.topic(Stream.LOGS)).isEqualTo("fleet-logs");
    assertThat(config.latest()).isEqualTo(new Latest("newest", 5000));
    assertThat(config.compression()).isEqualTo(Compression.ZSTD);
    assertThat(config.sendTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.rules()).isEqualTo(new TopicRules(true, 12, 3, 1, true));
  }

  @Test
  void wrongValues_areNamed() {
    assertThat(problems()).singleElement().asString().contains("bootstrap-servers: is needed");
    assertThat(problems("bootstrap-servers", "k", "topic-prefix", "a b"))
        .hasSize(2)
        .anyMatch(one -> one.contains("is no list such as"))
        .anyMatch(one -> one.contains("a topic's name has"));
    assertThat(problems("bootstrap-servers", "k:1", "min-insync-replicas", "1"))
        .singleElement()
        .asString()
        .contains("is lost with one machine", "sinks.kafka.unsafe-min-insync-replicas=true");
  }

  @Test
  void clientFile_thatBreaksAPromise_isRefusedWithoutItsValues() throws IOException {
    Path file = folder.resolve("client.properties");
    assertThat(problems("bootstrap-servers", "k:1", "client-file", file.toString()))
        .containsExactly("sinks.kafka.client-file: " + file + " is not there");
    Files.writeString(file, "acks=0\nenable.idempotence = false\nssl.key.password: s3cret\n");
    assertThat(problems("bootstrap-servers", "k:1", "client-file", file.toString()))
        .containsExactly(
            "sinks.kafka.client-file: "
                + file
                + " may not set acks (it is always all: delivered means replicated),"
                + " enable.idempotence (it is always true: retries repeat nothing)");
    Files.writeString(file, "ssl.key.password: s3cret\nmax.request.size=5\n");
    ClientFile read = ClientFile.read(file);
    assertThat(read.toString()).doesNotContain("s3cret");
    assertThat(read.secrets()).containsExactly("s3cret");
    assertThat(read.number("max.request.size", 1)).isEqualTo(5);
  }
}
