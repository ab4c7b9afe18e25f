package gilmok.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.load.LoadReport;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

@Tag("unit")
class ChapterPageTest {
  @Test
  void render_voidRound_isNeverReached() {
    Finding good = Finding.of("one", "10/s", "12/s", true, List.of(round(5, true)));
    Finding bad = Finding.of("two", "10/s", "12/s", true, List.of(round(5, true), round(5, false)));
    String page =
        CapacityCommand.chapter(List.of(good, bad)).page("a machine", "a command", "plot.svg");
    assertThat(page).contains("| one | 10/s | 12/s | reached |");
    assertThat(page).contains("| two | 10/s | 12/s (VOID) | **missed** |");
  }

  @Test
  void median_ofThree_isTheMiddleOne() {
    Measurement slow = round(5, true);
    Measurement fast = round(9, true);
    assertThat(Measurement.median(List.of(fast, slow, fast)).requestsPerSecond()).isEqualTo(9);
    assertThat(Measurement.median(List.of(slow, fast, slow)).requestsPerSecond()).isEqualTo(5);
  }

  @Test
  void render_chart_isWellFormed() throws Exception {
    String svg =
        BarChart.render(
            List.of(
                new BarChart.Panel("a < b & c", List.of(new BarChart.Bar("one", 3, "3/s"))),
                new BarChart.Panel("empty", List.of())));
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(2);
  }

  private static Measurement round(double rate, boolean valid) {
    LoadReport report =
        new LoadReport(
            "open",
            1,
            1,
            1,
            rate,
            rate,
            rate,
            Map.of("p99", 2.0),
            50,
            50,
            0,
            0,
            Map.of(),
            valid,
            1,
            1,
            1,
            1,
            0,
            5);
    return new Measurement("s", report);
  }
}
