package gilmok.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class PacksTest {
  private static final List<Packs.Need> NEEDS =
      List.of(
          new Packs.Need("sinks.enabled", "toy", "toy", "toy.Engine"),
          new Packs.Need("sinks.enabled", "files", "here", "gilmok.config.Packs"));

  @Test
  void check_absentPack_isNamedByTheValueThatNeedsIt() {
    Settings settings = settings("files, toy-two");

    Packs.check(settings, NEEDS);

    assertThatThrownBy(settings::finish)
        .hasMessageContaining(
            "sinks.enabled: \"toy-two\" needs the pack toy: put gilmok-toy.jar into the folder"
                + " packs beside gilmok-all.jar")
        .hasMessageNotContaining("gilmok-here.jar");
  }

  @Test
  void check_nothingNeedsIt_isNoProblem() {
    Settings settings = settings("files,toyota");
    Packs.check(settings, NEEDS);
    Packs.check(settings);
    settings.finish();
  }

  /** Kafka's client is on the tests' class path: so the table names a class that it has. */
  @Test
  void check_packThatIsThere_isNoProblem() {
    Settings settings = settings("files,kafka-two");
    Packs.check(settings);
    settings.finish();
  }

  @Test
  void present_jarsOfTheFolder_byTheirNames() {
    assertThat(
            Packs.present("/opt/lib/gilmok-all.jar:/opt/lib/packs/gilmok-kafka.jar:packs/my.jar"))
        .containsExactly("kafka", "my");
    assertThat(Packs.present("/opt/packs/lib/gilmok-all.jar")).isEmpty();
  }

  private static Settings settings(String sinks) {
    Settings settings = new Settings(Map.of("sinks.enabled", sinks));
    assertThat(settings.words("sinks.enabled")).isNotEmpty();
    return settings;
  }
}
