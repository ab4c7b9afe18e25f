package gilmok.lab.start;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.start.MeasuredRequests.Figure;
import gilmok.warmup.ScriptRequest;
import gilmok.warmup.WarmUpScript;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class MeasuredRequestsTest {
  @Test
  void script_namesEveryRequestOnce() {
    List<String> names =
        MeasuredRequests.script().shots().stream().map(ScriptRequest::name).toList();
    assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(80);
  }

  @Test
  void shuffled_whatSharesSomethingRemembered_staysInItsOrder() {
    List<ScriptRequest> shots = MeasuredRequests.script().shots();
    List<ScriptRequest> chain =
        shots.stream().filter(request -> request.path().contains("{{delivery}}")).toList();
    ScriptRequest maker =
        shots.stream()
            .filter(request -> request.remembers().toString().contains("name=delivery,"))
            .toList()
            .getFirst();
    for (int seed = 0; seed < 50; seed++) {
      List<ScriptRequest> order = MeasuredRequests.shuffled(shots, new Random(seed));
      assertThat(order).containsExactlyInAnyOrderElementsOf(shots);
      assertThat(order.stream().filter(chain::contains)).containsExactlyElementsOf(chain);
      assertThat(order.indexOf(maker)).isLessThan(order.indexOf(chain.getFirst()));
    }
  }

  @Test
  void shuffled_isAnotherOrder() {
    WarmUpScript script =
        WarmUpScript.parse(
            "letters",
            String.join("\n", List.of(shot("a"), shot("b"), shot("c"), shot("d"), shot("e"))));
    List<List<ScriptRequest>> orders =
        List.of(1, 2, 3, 4, 5).stream()
            .map(seed -> MeasuredRequests.shuffled(script.shots(), new Random(seed)))
            .distinct()
            .toList();
    assertThat(orders).hasSizeGreaterThan(2);
  }

  private static String shot(String name) {
    return "### " + name + "\n# expect 200\nGET /" + name + "\n";
  }

  @Test
  void holds_halfMoreOrAMillisecondMore_whicheverIsGreater() {
    assertThat(figure(1_300, 300).holds()).isTrue();
    assertThat(figure(1_301, 300).holds()).isFalse();
    assertThat(figure(15_000, 10_000).holds()).isTrue();
    assertThat(figure(15_001, 10_000).holds()).isFalse();
  }

  @Test
  void holds_answeredOtherwise_howeverFast_doesNot() {
    assertThat(new Figure("a", "GET /", 1, 300, 0, false).holds()).isFalse();
  }

  private static Figure figure(double first, double steady) {
    return new Figure("a", "GET /", first, steady, 0, true);
  }
}
