package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class DayRangeTest {
  private static DayRange days(String first, String last, String zone) {
    return DayRange.of(LocalDate.parse(first), LocalDate.parse(last), ZoneId.of(zone));
  }

  @Test
  void seoul_beginsNineHoursBeforeUtc() {
    DayRange days = days("2026-01-31", "2026-02-01", "Asia/Seoul");
    assertThat(days.count()).isEqualTo(2);
    assertThat(days.fromMillis()).isEqualTo(1_769_785_200_000L); // 2026-01-30T15:00Z
    assertThat(days.date(1)).isEqualTo(LocalDate.parse("2026-02-01"));
    assertThat(days.dayOf(days.begin(1) - 1, 0)).isZero();
    assertThat(days.dayOf(days.begin(1), 0)).isEqualTo(1);
    assertThat(days.dayOf(days.untilMillis() - 1, 0)).isEqualTo(1);
    assertThat(days.dayOf(days.fromMillis(), 1)).isZero();
  }

  @Test
  void clocksThatChange_makeADayOfTwentyThreeHours() {
    DayRange days = days("2026-03-28", "2026-03-30", "Europe/Berlin");
    assertThat(days.begin(2) - days.begin(1)).isEqualTo(Duration.ofHours(23).toMillis());
  }

  @Test
  void dateThatAZoneLeftOut_hasNoLength_andNoEntries() {
    DayRange days = days("2011-12-29", "2011-12-31", "Pacific/Apia");
    assertThat(days.begin(1)).isEqualTo(days.begin(2));
    assertThat(days.dayOf(days.begin(1), 0)).isEqualTo(2);
  }

  @Test
  void backwards_isRefused() {
    assertThatThrownBy(() -> days("2026-02-01", "2026-01-31", "UTC"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
