package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.http.Networks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of the relay. */
@Tag("unit")
class RelayConfigTest {
  @Test
  void defaults() {
    Duration day = Duration.ofHours(24);
    assertThat(RelayConfig.from(new Settings(Map.of())))
        .isEqualTo(
            new RelayConfig(
                new RelayConfig.Addresses(Networks.NONE, null),
                Duration.ofSeconds(15),
                Duration.ofSeconds(5),
                8,
                new RelayConfig.Retry(Duration.ofMillis(500), Duration.ofHours(1), day),
                day,
                Duration.ofSeconds(1),
                Duration.ofSeconds(60),
                new RelayConfig.Breaker(Duration.ofMinutes(1), Duration.ofSeconds(5))));
  }

  @Test
  void addresses_thatWillNotDo_areNamed(@TempDir Path folder) throws Exception {
    Path notPem = Files.writeString(folder.resolve("not.pem"), "nothing");
    Map<String, String> bad =
        Map.of("relay.private-networks", "10.0.0.0/8, true", "relay.ca", notPem.toString());
    Settings settings = new Settings(bad);
    RelayConfig.from(settings);

    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems())
        .anySatisfy(one -> assertThat(one).startsWith("relay.private-networks: \"true\" is no"))
        .anySatisfy(one -> assertThat(one).startsWith("relay.ca: " + notPem + " holds no"));
    Settings missing = new Settings(Map.of("relay.ca", folder.resolve("none.pem").toString()));
    RelayConfig.from(missing);
    assertThat(catchThrowableOfType(InvalidSettings.class, missing::finish).problems())
        .containsExactly("relay.ca: no file " + folder.resolve("none.pem"));
  }

  @Test
  void oldName_stopsTheStart_andNamesTheNewOne() {
    Settings settings = new Settings(Map.of("relay.allow-private-networks", "true"));
    RelayConfig.from(settings);

    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems())
        .containsExactly("relay.allow-private-networks: is called relay.private-networks now");
  }

  @Test
  void everyKey_isRead() {
    Settings settings =
        new Settings(
            Map.ofEntries(
                Map.entry("relay.private-networks", "127.0.0.0/8"),
                Map.entry("relay.timeout", "1 s"),
                Map.entry("relay.connect-timeout", "2 s"),
                Map.entry("relay.concurrency-max", "3"),
                Map.entry("relay.retry-min", "4 ms"),
                Map.entry("relay.retry-max", "5 ms"),
                Map.entry("relay.give-up-after", "6 s"),
                Map.entry("relay.secret-overlap", "7 s"),
                Map.entry("relay.poll-interval", "8 s"),
                Map.entry("relay.lease", "9 s"),
                Map.entry("relay.breaker-window", "10 s"),
                Map.entry("relay.breaker-pause", "11 s")));
    assertThat(RelayConfig.from(settings))
        .isEqualTo(
            new RelayConfig(
                new RelayConfig.Addresses(Networks.of(List.of("127.0.0.0/8")), null),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                3,
                new RelayConfig.Retry(
                    Duration.ofMillis(4), Duration.ofMillis(5), Duration.ofSeconds(6)),
                Duration.ofSeconds(7),
                Duration.ofSeconds(8),
                Duration.ofSeconds(9),
                new RelayConfig.Breaker(Duration.ofSeconds(10), Duration.ofSeconds(11))));
    settings.finish();
  }

  @Test
  void relations_areHeld() {
    Settings settings = new Settings(Map.of("relay.lease", "44 s", "relay.retry-max", "100 ms"));
    RelayConfig.from(settings);
    InvalidSettings invalid = catchThrowableOfType(InvalidSettings.class, settings::finish);
    assertThat(invalid.problems())
        .containsExactly(
            "relay.lease: must be at least three times relay.timeout",
            "relay.retry-max: is shorter than relay.retry-min");
  }
}
