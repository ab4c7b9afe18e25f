package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
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

  private static Map<String, String> values(String... settings) {
    Map<String, String> values = new HashMap<>();
    for (String setting : settings) {
      values.put(setting.split("=")[0], setting.split("=")[1]);
    }
    return values;
  }

  private static List<String> problems(String... settings) {
    try {
      ServerConfig.from(new Settings(values(settings)));
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
    assertThat(problems(follow, "sinks.enabled=kafka", SERVERS, LATEST, "sinks.kafka.streams=logs"))
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

  /** By a class loader that has everything but Kafka's client. */
  @Test
  void kafkaWithoutItsPack_isAProblemOfTheSettings_andNoError() throws Exception {
    URL[] urls =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("kafka"))
            .map(FollowSettingsTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader bare = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Class<?> settings = bare.loadClass(Settings.class.getName());
      Map<String, String> values = values("positions.follow=kafka", "sinks.enabled=kafka", SERVERS);
      Object given = settings.getConstructor(Map.class).newInstance(values);
      Method from = bare.loadClass(ServerConfig.class.getName()).getMethod("from", settings);
      assertThatThrownBy(() -> from.invoke(null, given))
          .cause()
          .hasMessageContaining("positions.follow: kafka needs sinks.kafka.latest-topic")
          .hasMessageContaining("sinks.enabled: \"kafka\" needs the pack kafka");
    }
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }
}
