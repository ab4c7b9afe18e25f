package gilmok.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
final class RemovalPlanTest {
  private static RemovalPlan.Row row(String id, long revision) {
    return new RemovalPlan.Row(id, revision);
  }

  @Test
  void text_isReadAsItWas_whateverTheIds() {
    List<RemovalPlan.Row> rows =
        List.of(row("01kc", 5), row("a b\nc", 1L << 40), row("길목 %+\u0001", 0));
    RemovalPlan plan = RemovalPlan.of("first-last", rows);
    assertThat(plan.name()).matches("first-last-[0-9a-f]{12}");
    assertThat(RemovalPlan.read(plan.text())).isEqualTo(plan);
    RemovalPlan archived = new RemovalPlan("name", true, plan.rows());
    assertThat(RemovalPlan.read(archived.text())).isEqualTo(archived);
  }

  @Test
  void name_isOfWhatItHas() {
    List<RemovalPlan.Row> rows = List.of(row("a", 1), row("b", 1), row("c", 1));
    String name = RemovalPlan.of("a-c", rows).name();
    assertThat(RemovalPlan.of("a-c", rows).name()).isEqualTo(name);
    assertThat(RemovalPlan.of("a-c", List.of(row("a", 1), row("c", 1))).name()).isNotEqualTo(name);
    assertThat(RemovalPlan.of("a-c", List.of(row("a", 1), row("b", 2), row("c", 1))).name())
        .isNotEqualTo(name);
  }

  /** As versions before other kinds of documents have stored it. */
  @Test
  void text_ofAnEarlierVersion_isRead() {
    String id = "01kc0000000000000000000000";
    assertThat(RemovalPlan.read("archived " + id + "-" + id + "\n" + id + " 7\n"))
        .isEqualTo(new RemovalPlan(id + "-" + id, true, List.of(row(id, 7))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "planned", "kept a\n", "planned a\nb", "planned a\n", "archived a b\n"})
  void text_thatIsDamaged_isNoPlan(String text) {
    assertThatThrownBy(() -> RemovalPlan.read(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
