package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
final class RemovalPlanTest {
  @Test
  void text_isReadAsItWas() {
    Random random = new Random(1);
    String first = DeliveryId.next(1_000, random);
    String last = DeliveryId.next(2_000, random);
    RemovalPlan plan =
        RemovalPlan.of(List.of(new RemovalPlan.Row(first, 5), new RemovalPlan.Row(last, 1L << 40)));
    assertThat(plan.name()).isEqualTo(first + "-" + last);
    assertThat(RemovalPlan.read(plan.text())).isEqualTo(plan);
    RemovalPlan archived = new RemovalPlan("name", true, plan.rows());
    assertThat(RemovalPlan.read(archived.text())).isEqualTo(archived);
    assertThat(DeliveryId.millis(last)).isEqualTo(2_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "planned", "kept a\n", "planned a\nb 1", "planned a\n", "archived a b\n"})
  void text_thatIsDamaged_isNoPlan(String text) {
    assertThatThrownBy(() -> RemovalPlan.read(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
