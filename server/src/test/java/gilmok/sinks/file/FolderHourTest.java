package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
final class FolderHourTest {
  private static final long BEGIN = Instant.parse("1970-01-01T00:00:00Z").toEpochMilli();
  private static final long END = Instant.parse("2040-01-01T00:00:00Z").toEpochMilli();

  /** Zones with a part of an hour, with summer time, and with clocks set at odd times. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC",
        "Asia/Seoul",
        "Asia/Kolkata",
        "Asia/Kathmandu",
        "Europe/Berlin",
        "Australia/Lord_Howe",
        "America/St_Johns",
        "Africa/Monrovia",
        "Pacific/Apia"
      })
  void anyInstant_isInTheFolderThatTheClocksShow_toTheLastMillisecond(String name) {
    ZoneId zone = ZoneId.of(name);
    Random random = new Random(name.hashCode());
    for (int i = 0; i < 20_000; i++) {
      long at = random.nextLong(BEGIN, END);
      FolderHour hour = FolderHour.of(at, zone);
      assertThat(hour.has(at)).isTrue();
      assertThat(hour.folder()).isEqualTo(shown(at, zone));
      assertThat(shown(hour.fromMillis(), zone)).isEqualTo(hour.folder());
      assertThat(shown(hour.untilMillis() - 1, zone)).isEqualTo(hour.folder());
      assertThat(hour.untilMillis() - hour.fromMillis()).isBetween(1L, 3_600_000L);
      FolderHour next = FolderHour.of(hour.untilMillis(), zone);
      assertThat(next.fromMillis()).isEqualTo(hour.untilMillis());
    }
  }

  private static String shown(long millis, ZoneId zone) {
    ZonedDateTime shown = Instant.ofEpochMilli(millis).atZone(zone);
    return String.format(Locale.ROOT, "date=%s/hour=%02d", shown.toLocalDate(), shown.getHour());
  }
}
