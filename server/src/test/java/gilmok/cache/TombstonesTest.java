package gilmok.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class TombstonesTest {
  private long now = Long.MAX_VALUE - 5;
  private final Tombstones tombstones = new Tombstones(() -> now, 10);

  @Test
  void mark_lastsUntilItIsClearedOrOver() {
    assertThat(tombstones.of("k")).isNull();
    Tombstones.Mark first = tombstones.mark("k");
    assertThat(tombstones.of("k")).isSameAs(first);
    Tombstones.Mark second = tombstones.mark("k");
    tombstones.clear("k", first);
    assertThat(tombstones.of("k")).as("an earlier change's").isSameAs(second);
    tombstones.clear("k", second);
    assertThat(tombstones.of("k")).isNull();
    tombstones.mark("k");
    now += 9;
    assertThat(tombstones.of("k")).isNotNull();
    now += 1;
    assertThat(tombstones.of("k")).isNull();
    assertThat(tombstones.size()).isZero();
  }

  @Test
  void mark_moreThanThereIsRoomFor_untrustsAll() {
    for (int i = 0; i < Tombstones.MARKS_MAX; i++) {
      tombstones.mark("k" + i);
    }
    assertThat(tombstones.of("other")).isNull();
    tombstones.mark("more");
    assertThat(tombstones.size()).isZero();
    assertThat(tombstones.of("other")).isNotNull();
    assertThat(tombstones.of("k0")).isNotNull();
    now += 9;
    Tombstones.Mark later = tombstones.mark("k0");
    now += 1;
    assertThat(tombstones.of("other")).isNull();
    assertThat(tombstones.of("k0")).isSameAs(later);
  }

  @Test
  void mark_deleted_isTrusted_butLeftUntilTheOthersAreTold() {
    Tombstones longer = new Tombstones(() -> now, 10_000_000_000L);
    Tombstones.Mark first = longer.mark("k");
    longer.mark("other");
    longer.deleted("k", first);
    assertThat(longer.of("k")).isNull();
    assertThat(longer.of("other")).isNotNull();
    assertThat(longer.left()).as("who made it may still be at it").isEmpty();
    now += 1_000_000_000L;
    assertThat(longer.left()).containsOnlyKeys("k", "other").containsEntry("k", first);
    Tombstones.Mark second = longer.mark("k");
    longer.deleted("k", first);
    assertThat(longer.of("k")).as("the later change's").isSameAs(second);
    assertThat(longer.left()).containsOnlyKeys("other");
    now += 9_000_000_000L;
    assertThat(longer.left()).as("over").containsOnlyKeys("k");
  }

  @Test
  void allUntold_lastsUntilItIsTold_notTheNextOne() {
    assertThat(tombstones.allUntold()).isNull();
    fill();
    Tombstones.Mark first = Objects.requireNonNull(tombstones.allUntold());
    tombstones.deleted("k0", first);
    assertThat(tombstones.of("k0")).as("it stands for all keys").isSameAs(first);
    fill();
    tombstones.allTold(first);
    Tombstones.Mark second = Objects.requireNonNull(tombstones.allUntold());
    tombstones.allTold(second);
    assertThat(tombstones.allUntold()).isNull();
  }

  private void fill() {
    for (int i = 0; i <= Tombstones.MARKS_MAX; i++) {
      tombstones.mark("k" + i);
    }
  }
}
