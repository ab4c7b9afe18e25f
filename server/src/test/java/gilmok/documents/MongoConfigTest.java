package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ReadPreference;
import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.documents.MongoConfig.ReadFrom;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class MongoConfigTest {
  @Test
  void defaults() {
    Settings settings = new Settings(Map.of());
    assertThat(MongoConfig.from(settings))
        .isEqualTo(
            new MongoConfig(
                null,
                "gilmok",
                ReadFrom.PRIMARY,
                new MongoConfig.Pool(4, 64, 1_024, Duration.ofSeconds(1)),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                MongoConfig.IndexMode.WHERE_EMPTY,
                null));
    settings.finish();
  }

  @Test
  void everything() {
    String uri = "mongodb://me:p%40ss@one:7000,two:7001/fleet?replicaSet=rs0";
    Settings settings =
        new Settings(
            Map.of(
                "documents.mongo-uri", uri,
                "documents.mongo-database", "other",
                "documents.mongo-read-from", "secondary-preferred",
                "documents.mongo-connections-min", "1",
                "documents.mongo-connections-max", "2",
                "documents.mongo-waiting-max", "3",
                "documents.mongo-acquire-timeout", "4 s",
                "documents.mongo-connect-timeout", "5 s",
                "documents.mongo-timeout", "6 s",
                "documents.mongo-indexes", "check"));
    MongoConfig config = MongoConfig.from(settings);
    settings.finish();
    assertThat(config)
        .isEqualTo(
            new MongoConfig(
                uri,
                "other",
                ReadFrom.SECONDARY_PREFERRED,
                new MongoConfig.Pool(1, 2, 3, Duration.ofSeconds(4)),
                Duration.ofSeconds(5),
                Duration.ofSeconds(6),
                MongoConfig.IndexMode.CHECK,
                null));
    assertThat(config.readPreference()).isEqualTo(ReadPreference.secondaryPreferred());
    assertThat(config.secrets()).containsExactly("me", "me", "p%40ss", "p@ss");
    assertThat(config.toString()).doesNotContain("p%40ss").doesNotContain("one");
    assertThat(settings.effective()).containsEntry("documents.mongo-uri", "********");
  }

  @Test
  void unreadable_isRefusedWithoutBeingTold() {
    Settings settings =
        new Settings(
            Map.of(
                "documents.mongo-uri", "http://me:s3cret@one",
                "documents.mongo-database", "a.b",
                "documents.mongo-connections-min", "9",
                "documents.mongo-connections-max", "8"));
    MongoConfig.from(settings);
    assertThatThrownBy(settings::finish)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("documents.mongo-uri: must look like")
        .hasMessageContaining("documents.mongo-database: must be")
        .hasMessageContaining("documents.mongo-connections-min: must not")
        .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("s3cret"));
  }
}
