package gilmok.lab.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class CapacityPageTest {
  @Test
  void render_voidRound_isNeverReached() {
    Finding good = Finding.of("one", "10/s", "12/s", true, List.of(round(true)));
    Finding bad = Finding.of("two", "10/s", "12/s", true, List.of(round(true), round(false)));
    String page = CapacityPage.render("a machine", "a command", "plot.svg", List.of(good, bad));
    assertThat(page).contains("| one | 10/s | 12/s | reached |");
    assertThat(page).contains("| two | 10/s | 12/s (VOID) | **missed** |");
  }

  @Test
  void median_ofThree_isTheMiddleOne() {
    Measurement slow = round(true);
    Measurement fast = new Measurement("s", 9, 9, 1, 2, 3, 4, 5, 1, 1, 1, 1, 0, 90, true, "");
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

  private static Measurement round(boolean valid) {
    return new Measurement("s", 5, 5, 1, 2, 3, 4, 5, 1, 1, 1, 1, 0, 50, valid, "{}");
  }
}
