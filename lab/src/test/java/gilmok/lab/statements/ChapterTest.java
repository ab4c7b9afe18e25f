package gilmok.lab.statements;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.report.Chapter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("unit")
class ChapterTest {
  private static final String FOUND =
      """
      [{"benchmark":"gilmok.baseline.Ways.defaultConverter","params":{"documents":"2000"},
        "primaryMetric":{"score":100.0}},
       {"benchmark":"gilmok.baseline.Ways.directMapping","params":{"documents":"2000"},
        "primaryMetric":{"score":1500.0}},
       {"benchmark":"gilmok.baseline.Ours.ours","params":{"documents":"2000"},
        "primaryMetric":{"score":2000.0}}]
      """;

  @Test
  void ways_aRatioBelowItsReach_isMissed() {
    Chapter chapter = Ways.chapter(Ways.read(FOUND));
    assertThat(chapter.verdicts())
        .extracting(Chapter.Verdict::reached)
        .containsExactly(true, false);
    assertThat(chapter.reached()).isFalse();
    assertThat(chapter.page("a machine", "a command", "plot.svg"))
        .contains("| 20.0 times | reached |")
        .contains("| 1.3 times | **missed** |")
        .contains("![From documents to sums](plot.svg)");
  }

  @Test
  void ways_notMeasured_isNotReached() {
    Chapter chapter = Ways.chapter(Map.of("defaultConverter", Map.of(200, 5.0)));
    assertThat(chapter.reached()).isFalse();
  }

  @Test
  void body_entries_areOfTheDaysThatAreAskedFor() {
    JsonNode entries = JsonMapper.shared().readTree(Stage.body(200, 0, 200));
    assertThat(entries).hasSize(200);
    assertThat(entries.get(0).path("at").asString()).isEqualTo("2026-02-28T15:00:00Z");
    assertThat(entries.get(199).path("at").asString()).isLessThan("2026-03-31T15:00:00Z");
    assertThat(Stage.path(200))
        .isEqualTo("/v1/riders/rider-200/statement?from=2026-03-01&to=2026-03-31");
    assertThat(List.of(Stage.body(200, 0, 200).split("\"id\"", -1))).hasSize(201);
  }
}
