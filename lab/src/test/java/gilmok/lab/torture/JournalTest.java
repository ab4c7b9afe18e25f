package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.crash.Violations;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class JournalTest {
  private final Journal journal = Journal.of(new Violations(), 1_790_000_000_000L);

  @Test
  void sums_entriesAndCompletedDeliveries_areAdded() {
    Entries entries = journal.entries();
    List<Entries.Item> items = entries.fresh(3, 0);
    entries.taken(items);
    entries.unanswered(entries.fresh(1, 0));
    Order order = new Order(7, Order.Shop.GOOD, "earner-1", List.of(Edge.COMPLETED), false);
    order.created("d1");
    assertThat(entries.sums(List.of(order)).get("earner-1"))
        .isEqualTo(new Entries.Sum(1, items.get(1).amount(), 0, 0));
    order.reached(2);
    assertThat(entries.sums(List.of(order)).get("earner-1"))
        .isEqualTo(new Entries.Sum(2, items.get(1).amount() + 1_007, 0, 0));
    assertThat(entries.takeUnanswered()).hasSize(1);
    assertThat(entries.takeUnanswered()).isEmpty();
  }

  @Test
  void puts_unanswered_mayBeThereOrNot() {
    Puts puts = journal.puts();
    puts.answered("m", puts.ask("m"));
    int unsure = puts.ask("m");
    assertThat(allows(1)).isTrue();
    assertThat(allows(unsure)).isTrue();
    assertThat(allows(unsure + 1)).isFalse();
    assertThat(allows(0)).as("what was answered is gone").isFalse();
  }

  @Test
  void puts_answeredLater_oneBeforeIsGone() {
    Puts puts = journal.puts();
    puts.answered("m", puts.ask("m"));
    puts.answered("m", puts.ask("m"));
    assertThat(allows(1)).isFalse();
    assertThat(allows(2)).isTrue();
  }

  private boolean allows(int found) {
    Puts.Value value = journal.puts().all().get("m");
    return value != null && value.allows(found);
  }
}
