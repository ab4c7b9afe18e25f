package gilmok.lab.start;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.report.Chapter;
import gilmok.lab.start.NeighbourChapter.Answers;
import gilmok.lab.start.NeighbourChapter.Firsts;
import gilmok.lab.start.NeighbourChapter.Plan;
import gilmok.lab.start.NeighbourChapter.Row;
import gilmok.lab.start.NeighbourChapter.Seen;
import gilmok.lab.start.NeighbourChapter.Told;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class NeighbourChapterTest {
  private static final Plan PLAN = new Plan(0.3, 1, 2, 200, 30);

  private static Row row(double pressure, double throttledPeriods) {
    return new Row(
        "beside",
        Spread.of(List.of(2.0, 4.0)),
        Spread.of(List.of(20.0, 30.0)),
        new Firsts(40, 87, 3, 12.5),
        new Answers(1.5, 34.5, 56.25),
        new Seen(0.46, 1.5, new Told(2, throttledPeriods, 31.25, pressure, 0.99)));
  }

  @Test
  void row_hasACellForEachHead() {
    Chapter chapter = NeighbourChapter.of(PLAN, List.of(row(0.8, 0)), List.of("a note"));
    assertThat(chapter.rows().getFirst())
        .hasSize(chapter.head().split(" \\| ", -1).length)
        .containsExactly(
            "beside",
            "3.00 (worst 4.00)",
            "25.00 (worst 30.00)",
            "0.46",
            "1.50",
            "40 of 87",
            "3",
            "12.50",
            "1.50",
            "34.50",
            "56.25",
            "2",
            "0");
    assertThat(chapter.panels()).hasSize(3);
    assertThat(chapter.notes()).last().isEqualTo("a note");
  }

  @Test
  void notes_sayWhatIsDue_andWhatTheMetricsTold() {
    String notes =
        String.join("\n", NeighbourChapter.of(PLAN, List.of(row(0.8, 0)), List.of()).notes());
    assertThat(notes)
        .contains("for 0.3 307 shares (v2: 12); for 1 1024 shares (v2: 39)")
        .contains("0.46 are due to a server that has asked for 0.3, 1.00 to one")
        .contains("beside: its metrics had 2 processors, 0 throttled periods")
        .contains("31.25 ms", "used to 99 %", "80 % of the time");
  }

  @Test
  void notes_whatTheKernelDoesNotTell_isUnknown() {
    Chapter chapter = NeighbourChapter.of(PLAN, List.of(row(Double.NaN, Double.NaN)), List.of());
    assertThat(String.join("\n", chapter.notes()))
        .contains("unknown throttled periods", "waiting for one unknown")
        .doesNotContain("NaN");
    assertThat(chapter.rows().getFirst()).last().isEqualTo("unknown");
  }

  @Test
  void nothingMeasured_isAPageWithItsReason() {
    Chapter chapter = NeighbourChapter.of(PLAN, List.of(), List.of("Not measured: no"));
    assertThat(chapter.page("", "", "")).contains("- Not measured: no");
  }
}
