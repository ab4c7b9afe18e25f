package gilmok.ship.firehose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FirehoseConfigTest {
  @Test
  void from_onlyTheStream_hasTheDefaults() {
    assertThat(Told.config())
        .isEqualTo(
            new FirehoseConfig(
                "traces", null, null, 5120, Duration.ofSeconds(5), 90_000, 900 << 10, 900));
  }

  @Test
  void from_everyKey_isTaken() {
    Settings settings =
        new Settings(
            Map.of(
                "ship.firehose-logs.stream", "app-logs",
                "ship.firehose-logs.region", "ap-northeast-2",
                "ship.firehose-logs.endpoint", "http://127.0.0.1:5000",
                "ship.firehose-logs.pack-bytes-max", "0",
                "ship.firehose-logs.send-timeout", "3 s",
                "ship.firehose-logs.records-per-second-max", "500000",
                "ship.firehose-logs.bytes-per-second-max", "5 MiB",
                "ship.firehose-logs.calls-per-second-max", "2000"));

    assertThat(FirehoseConfig.from(settings, "firehose-logs"))
        .isEqualTo(
            new FirehoseConfig(
                "app-logs",
                "ap-northeast-2",
                URI.create("http://127.0.0.1:5000"),
                0,
                Duration.ofSeconds(3),
                500_000,
                5 << 20,
                2000));
    settings.finish();
  }

  @Test
  void from_wrongValues_areListed() {
    Settings settings =
        new Settings(
            Map.of(
                "ship.firehose.region", "Seoul!",
                "ship.firehose.endpoint", "ftp://u:secret@x",
                "ship.firehose.pack-bytes-max", "2 MiB"));
    FirehoseConfig.from(settings, "firehose");

    assertThatThrownBy(settings::finish)
        .isInstanceOfSatisfying(
            InvalidSettings.class,
            invalid ->
                assertThat(invalid.problems())
                    .hasSize(4)
                    .anyMatch(line -> line.startsWith("ship.firehose.stream: is needed"))
                    .anyMatch(line -> line.startsWith("ship.firehose.region: "))
                    .anyMatch(line -> line.startsWith("ship.firehose.endpoint: "))
                    .anyMatch(line -> line.endsWith("not between 0 and 1000 KiB"))
                    .noneMatch(line -> line.contains("secret")));
  }
}
