package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.sinks.firehose.FirehoseConfig.PackCompression;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FirehoseConfigTest {
  @Test
  void from_onlyTheStream_hasTheDefaults() {
    assertThat(Told.config())
        .isEqualTo(
            new FirehoseConfig(
                "traces",
                null,
                null,
                new FirehoseConfig.Identity(null, null, null),
                new FirehoseConfig.RecordPacking(5120, PackCompression.NONE),
                Duration.ofSeconds(5),
                new FirehoseConfig.Quota(90_000, 900 << 10, 900)));
  }

  @Test
  void from_everyKey_isTaken() {
    Settings settings =
        new Settings(
            Map.ofEntries(
                Map.entry("sinks.firehose-logs.stream", "app-logs"),
                Map.entry("sinks.firehose-logs.region", "ap-northeast-2"),
                Map.entry("sinks.firehose-logs.endpoint", "http://127.0.0.1:5000"),
                Map.entry("sinks.firehose-logs.profile", "fleet"),
                Map.entry(
                    "sinks.firehose-logs.role-arn", "arn:aws:iam::123456789012:role/in/ships"),
                Map.entry("sinks.firehose-logs.external-id", "partner-7"),
                Map.entry("sinks.firehose-logs.pack-bytes-max", "0"),
                Map.entry("sinks.firehose-logs.pack-compression", "gzip"),
                Map.entry("sinks.firehose-logs.send-timeout", "3 s"),
                Map.entry("sinks.firehose-logs.records-per-second-max", "500000"),
                Map.entry("sinks.firehose-logs.bytes-per-second-max", "5 MiB"),
                Map.entry("sinks.firehose-logs.calls-per-second-max", "2000")));

    assertThat(FirehoseConfig.from(settings, "firehose-logs"))
        .isEqualTo(
            new FirehoseConfig(
                "app-logs",
                "ap-northeast-2",
                URI.create("http://127.0.0.1:5000"),
                new FirehoseConfig.Identity(
                    "fleet", "arn:aws:iam::123456789012:role/in/ships", "partner-7"),
                new FirehoseConfig.RecordPacking(0, PackCompression.GZIP),
                Duration.ofSeconds(3),
                new FirehoseConfig.Quota(500_000, 5 << 20, 2000)));
    settings.finish();
  }

  @Test
  void from_wrongValues_areListed() {
    Settings settings =
        new Settings(
            Map.of(
                "sinks.firehose.region", "Seoul!",
                "sinks.firehose.endpoint", "ftp://u:secret@x",
                "sinks.firehose.profile", "two words",
                "sinks.firehose.role-arn", "ships",
                "sinks.firehose.external-id", "a\tb",
                "sinks.firehose.pack-bytes-max", "2 MiB",
                "sinks.firehose.pack-compression", "zip"));
    FirehoseConfig.from(settings, "firehose");

    assertThatThrownBy(settings::finish)
        .isInstanceOfSatisfying(
            InvalidSettings.class,
            invalid ->
                assertThat(invalid.problems())
                    .hasSize(8)
                    .anyMatch(line -> line.startsWith("sinks.firehose.profile: "))
                    .anyMatch(line -> line.startsWith("sinks.firehose.role-arn: is no role"))
                    .anyMatch(line -> line.startsWith("sinks.firehose.external-id: is 2 to 1224"))
                    .anyMatch(line -> line.endsWith("\"zip\" is none of none, gzip"))
                    .anyMatch(line -> line.startsWith("sinks.firehose.stream: is needed"))
                    .anyMatch(line -> line.startsWith("sinks.firehose.region: "))
                    .anyMatch(line -> line.startsWith("sinks.firehose.endpoint: "))
                    .anyMatch(line -> line.endsWith("not between 0 and 1000 KiB"))
                    .noneMatch(line -> line.contains("secret")));
  }

  @Test
  void from_anExternalIdWithoutARole_isAProblem() {
    Settings settings =
        new Settings(
            Map.of("sinks.firehose.stream", "traces", "sinks.firehose.external-id", "partner-7"));
    FirehoseConfig.from(settings, "firehose");

    assertThatThrownBy(settings::finish)
        .hasMessageContaining("sinks.firehose.external-id: is shown where a role is assumed");
  }
}
