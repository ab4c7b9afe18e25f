package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What following other nodes needs is said at the start. */
@Tag("unit")
final class FollowSettingsTest {
  private static final String SERVERS = "sinks.kafka.bootstrap-servers=k:9092";
  private static final String LATEST = "sinks.kafka.latest-topic=newest";

  private static List<String> problems(String... settings) {
    Map<String, String> values = new HashMap<>();
    for (String setting : settings) {
      values.put(setting.split("=")[0], setting.split("=")[1]);
    }
    try {
      ServerConfig.from(new Settings(values));
      return List.of();
    } catch (InvalidSettings invalid) {
      return invalid.problems();
    }
  }

  @Test
  void aSinkOfThatKind_isNeeded() {
    assertThat(problems("positions.follow=redis"))
        .containsExactly("positions.follow: redis needs a sink of the kind redis in sinks.enabled");
    assertThat(problems("positions.follow=kafka", "sinks.enabled=files"))
        .containsExactly("positions.follow: kafka needs a sink of the kind kafka in sinks.enabled");
  }

  @Test
  void kafka_needsItsCompactedTopic_andTraces() {
    String follow = "positions.follow=kafka";
    assertThat(problems(follow, "sinks.enabled=kafka", SERVERS))
        .containsExactly("positions.follow: kafka needs sinks.kafka.latest-topic");
    assertThat(
            problems(follow, "sinks.enabled=kafka", SERVERS, LATEST, "sinks.kafka.streams=logs"))
        .containsExactly("positions.follow: kafka needs traces in sinks.kafka.streams");
    assertThat(problems(follow, "sinks.enabled=kafka", SERVERS, LATEST)).isEmpty();
  }

  @Test
  void ofSeveral_theFirstOfTheKindIsFollowed() {
    String two = "sinks.enabled=kafka-two,kafka";
    String servers = "sinks.kafka-two.bootstrap-servers=k:9092";
    assertThat(problems("positions.follow=kafka", two, SERVERS, LATEST, servers))
        .containsExactly("positions.follow: kafka needs sinks.kafka-two.latest-topic");
  }
}
