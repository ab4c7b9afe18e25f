package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.DayRange;
import gilmok.event.JsonBuffer;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Statements and entries as the API writes them. */
@Tag("unit")
final class StatementJsonTest {
  private final JsonBuffer out = new JsonBuffer();

  @Test
  void statement_hasTheDaysWithEntries_andTheTotal() {
    DayRange days =
        DayRange.of(LocalDate.of(2026, 3, 1), LocalDate.of(2026, 3, 31), ZoneId.of("Asia/Seoul"));
    DaySums sums = new DaySums(days.count());
    sums.add(0, EntryKind.FEE, 3500, 1_234_500);
    sums.add(0, EntryKind.INCENTIVE, 500, 0);
    sums.add(30, EntryKind.DEDUCTION, 9000, 1);
    sums.leaveOut("USD");
    sums.leaveOut("EUR");
    StatementJson.begin(new StatementQuestion("r-7", days, "KRW", false), out);
    StatementJson.end(days, sums, out);
    assertThat(out.toString())
        .isEqualTo(
            "{\"riderId\":\"r-7\",\"from\":\"2026-03-01\",\"to\":\"2026-03-31\","
                + "\"currency\":\"KRW\",\"days\":["
                + "{\"date\":\"2026-03-01\",\"count\":2,\"fee\":3500,\"incentive\":500,"
                + "\"deduction\":0,\"net\":4000,\"distance\":1234.5},"
                + "{\"date\":\"2026-03-31\",\"count\":1,\"fee\":0,\"incentive\":0,"
                + "\"deduction\":9000,\"net\":-9000,\"distance\":0.001}],"
                + "\"total\":{\"count\":3,\"fee\":3500,\"incentive\":500,\"deduction\":9000,"
                + "\"net\":-5000,\"distance\":1234.501},\"otherCurrencies\":[\"EUR\",\"USD\"]}");
  }

  @Test
  void entry_isWrittenAsItWasPosted() {
    StatementJson.write(new StatementEntry("a\"", "r", 0, EntryKind.FEE, 1, "KRW", "d", 2500), out);
    StatementJson.write(
        new StatementEntry("b", "r", 1, EntryKind.INCENTIVE, 0, "USD", null, 0), out);
    assertThat(out.toString())
        .isEqualTo(
            "{\"id\":\"a\\\"\",\"riderId\":\"r\",\"at\":\"1970-01-01T00:00:00Z\","
                + "\"kind\":\"fee\",\"amount\":1,\"currency\":\"KRW\",\"deliveryId\":\"d\","
                + "\"distance\":2.5}"
                + "{\"id\":\"b\",\"riderId\":\"r\",\"at\":\"1970-01-01T00:00:00.001Z\","
                + "\"kind\":\"incentive\",\"amount\":0,\"currency\":\"USD\"}");
  }

  @Test
  void added_namesWhatDiffers_ifAnythingDoes() {
    StatementJson.added(2, 1, List.of(), out);
    StatementJson.added(0, 2, List.of("a", "b"), out);
    assertThat(out.toString())
        .isEqualTo(
            "{\"accepted\":2,\"duplicates\":1}"
                + "{\"accepted\":0,\"duplicates\":2,\"differing\":[\"a\",\"b\"]}");
  }

  @Test
  void dates_areThoseOfTheCalendar() {
    assertThat(DayRange.date("2028-02-29")).isEqualTo(LocalDate.of(2028, 2, 29));
    for (String wrong :
        new String[] {
          "2026-02-29", "2026-2-29", "2026-13-01", "2026-00-01", "2026-01-00", "1969-12-31",
          "2101-01-01", "2026/01/01", "20260101", "2026-01-01T00:00:00Z", "+026-01-01", ""
        }) {
      assertThat(DayRange.date(wrong)).as(wrong).isNull();
    }
    assertThat(DayRange.date(null)).isNull();
  }
}
