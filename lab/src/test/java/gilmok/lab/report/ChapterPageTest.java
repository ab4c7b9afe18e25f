package gilmok.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

@Tag("unit")
class ChapterPageTest {
  @Test
  void page_saysOfEachGoalWhetherItWasReached() {
    Chapter chapter =
        new Chapter(
            "table",
            "A title",
            "one | two",
            List.of(List.of("1", "2")),
            List.of(
                new Chapter.Verdict("one", "10/s", "12/s", true),
                new Chapter.Verdict("two", "10/s", "9/s", false)),
            List.of("a note"),
            List.of());
    String page = chapter.page("a machine", "a command", "plot.svg");
    assertThat(page).contains("| one | 10/s | 12/s | reached |");
    assertThat(page).contains("| two | 10/s | 9/s | **missed** |");
    assertThat(chapter.reached()).isFalse();
  }

  @Test
  void middle_ofThree_isTheMedian() {
    assertThat(Figures.median(List.of(9.0, 5.0, 9.0))).isEqualTo(9);
    assertThat(Figures.median(List.of(5.0, 9.0, 5.0))).isEqualTo(5);
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
}
