package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.DeliveryStore.Moving;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of riders' actions on deliveries, whatever stores them. */
abstract class RiderActionContract {
  private final Day day = new Day();
  private StoreRig rig;
  private DeliveryStore store;

  /** Empty stores that read this clock. */
  abstract StoreRig open(InstantSource clock) throws IOException, InterruptedException;

  @BeforeEach
  final void begin() throws IOException, InterruptedException {
    rig = open(day);
    store = rig.deliveries();
  }

  @AfterEach
  final void end() throws IOException {
    rig.close();
  }

  @Test
  void act_allowed_happensAndNamesItsSource() throws Exception {
    String id = assigned();
    Delivery after = acted(id, day.action(Step.PICK_UP, "n:1"));
    assertThat(after.status()).isEqualTo(Status.PICKED_UP);
    assertThat(after.version()).isEqualTo(4);
    DeliveryEvent event = after.events().getLast();
    assertThat(event.source()).isEqualTo("n:1");
    assertThat(event.by()).isEqualTo("rider:" + Day.RIDER);
    assertThat(event.late()).isFalse();
    assertThat(store.find(id)).isEqualTo(after);
  }

  @Test
  void act_repeated_changesNothing() throws Exception {
    String id = assigned();
    Delivery after = acted(id, day.action(Step.PICK_UP, "n:1"));
    assertThat(acted(id, day.action(Step.PICK_UP, "n:1"))).isEqualTo(after);
    Delivery late = acted(id, day.action(Step.PICK_UP, "n:2"));
    assertThat(acted(id, day.action(Step.PICK_UP, "n:2"))).isEqualTo(late);
    assertThat(store.find(id)).isEqualTo(late);
  }

  @Test
  void act_early_waitsAndHappensInOrderOnceItMay() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Move complete = Day.action(Step.COMPLETE, Day.RIDER, "n:1", day.millis() + 2);
    Move pickUp = Day.action(Step.PICK_UP, Day.RIDER, "n:2", day.millis() + 1);
    assertThat(acted(first.id(), complete).waiting()).containsExactly(complete);
    assertThat(acted(first.id(), pickUp).waiting()).containsExactly(complete, pickUp);
    assertThat(acted(first.id(), pickUp).waiting()).as("repeated").hasSize(2);
    Delivery accepted = day.moved(store, first.id(), day.move(Step.ACCEPT));
    assertThat(accepted.version()).isEqualTo(2);
    assertThat(accepted.waiting()).hasSize(2);
    assertThat(store.find(first.id())).isEqualTo(accepted);

    Delivery all = day.moved(store, first.id(), day.assign(Day.RIDER));
    assertThat(all.status()).isEqualTo(Status.COMPLETED);
    assertThat(all.version()).isEqualTo(5);
    assertThat(all.waiting()).isEmpty();
    assertThat(all.events())
        .extracting(DeliveryEvent::step)
        .containsExactly(Step.CREATE, Step.ACCEPT, Step.ASSIGN, Step.PICK_UP, Step.COMPLETE);
    assertThat(all.events()).extracting(DeliveryEvent::sequence).containsExactly(1, 2, 3, 4, 5);
    assertThat(all.events()).noneMatch(DeliveryEvent::late);
    assertThat(store.find(first.id())).isEqualTo(all);
  }

  @Test
  void act_thatLetsAnotherHappen_doesBothAtOnce() throws Exception {
    String id = assigned();
    assertThat(acted(id, day.action(Step.COMPLETE, "n:1")).waiting()).hasSize(1);
    Delivery after = acted(id, day.action(Step.PICK_UP, "n:2"));
    assertThat(after.status()).isEqualTo(Status.COMPLETED);
    assertThat(after.version()).isEqualTo(5);
    assertThat(acted(id, day.action(Step.COMPLETE, "n:1"))).as("repeated").isEqualTo(after);
  }

  @Test
  void act_late_isNotedAndChangesNothingElse() throws Exception {
    String id = assigned();
    acted(id, day.action(Step.PICK_UP, "n:1"));
    Delivery done = acted(id, day.action(Step.COMPLETE, "n:2"));
    day.pass(1_000);
    Delivery after = acted(id, day.action(Step.FAIL, "n:3"));
    assertThat(after.status()).isEqualTo(Status.COMPLETED);
    assertThat(after.version()).isEqualTo(done.version());
    assertThat(after.updatedAtMillis()).isEqualTo(done.updatedAtMillis());
    DeliveryEvent late = after.events().getLast();
    assertThat(late.late()).isTrue();
    assertThat(late.sequence()).isZero();
    assertThat(late.step()).isEqualTo(Step.FAIL);
    assertThat(after.events()).hasSize(done.events().size() + 1);
    assertThat(store.find(id)).isEqualTo(after);
  }

  @Test
  void act_thatWaitedForWhatNeverCame_isNotedAsLate() throws Exception {
    String id = assigned();
    acted(id, day.action(Step.COMPLETE, "n:1"));
    Delivery after = day.moved(store, id, day.move(Step.FAIL));
    assertThat(after.status()).isEqualTo(Status.FAILED);
    assertThat(after.waiting()).isEmpty();
    assertThat(after.events().getLast().late()).isTrue();
    assertThat(after.events().getLast().source()).isEqualTo("n:1");
  }

  @Test
  void act_lateOnesBeyondTheirBound_leaveRoomForWhatMoves() throws Exception {
    String id = assigned();
    acted(id, day.action(Step.PICK_UP, "n:0"));
    for (int i = 1; i <= Delivery.LATE_MAX + 5; i++) {
      day.pass(1);
      acted(id, day.action(Step.PICK_UP, "n:" + i));
    }
    Delivery flooded = acted(id, day.action(Step.PICK_UP, "n:last"));
    assertThat(flooded.events()).filteredOn(DeliveryEvent::late).hasSize(Delivery.LATE_MAX);
    assertThat(store.move(id, day.move(Step.COMPLETE))).isInstanceOf(Moving.Moved.class);
  }

  @Test
  void act_ofAnotherRider_isIgnored() throws Exception {
    String id = assigned();
    Delivery before = store.find(id);
    for (Step step : Step.values()) {
      Move others = Day.action(step, "rider-2", "n:" + step, day.millis());
      assertThat(store.act(id, others)).isEqualTo(before);
    }
    assertThat(store.find(id)).isEqualTo(before);
  }

  @Test
  void act_whatRidersCannotDo_isIgnored() throws Exception {
    Delivery first = day.created(store, day.delivery());
    for (Step step : new Step[] {Step.ACCEPT, Step.ASSIGN, Step.DECLINE, Step.CANCEL}) {
      assertThat(store.act(first.id(), day.action(step, "n:" + step))).isEqualTo(first);
    }
  }

  @Test
  void act_earlyOfARiderWhoDoesNotGetIt_neverHappens() throws Exception {
    Delivery first = day.created(store, day.delivery());
    acted(first.id(), Day.action(Step.PICK_UP, "rider-2", "n:1", day.millis()));
    Delivery after =
        day.moved(
            store,
            first.id(),
            day.move(Step.ACCEPT),
            day.assign(Day.RIDER),
            day.move(Step.PICK_UP),
            day.move(Step.COMPLETE));
    assertThat(after.version()).isEqualTo(5);
    assertThat(after.waiting()).isEmpty();
    assertThat(after.events()).hasSize(5);
  }

  @Test
  void act_moreThanMayWait_isIgnored() throws Exception {
    Delivery first = day.created(store, day.delivery());
    for (int i = 0; i < Delivery.WAITING_MAX; i++) {
      day.pass(1);
      assertThat(acted(first.id(), day.action(Step.FAIL, "n:" + i)).waiting()).hasSize(i + 1);
    }
    assertThat(acted(first.id(), day.action(Step.PICK_UP, "n:more")).waiting())
        .hasSize(Delivery.WAITING_MAX)
        .extracting(Move::source)
        .doesNotContain("n:more");
  }

  @Test
  void act_thatHasWaitedForADay_isDropped() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Move old = day.action(Step.PICK_UP, "n:1");
    acted(first.id(), old);
    day.pass(Delivery.WAITING_MILLIS - 1);
    Move young = day.action(Step.COMPLETE, "n:2");
    assertThat(acted(first.id(), young).waiting()).containsExactly(old, young);
    day.pass(1);
    Delivery assigned = day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    assertThat(assigned.status()).isEqualTo(Status.ASSIGNED);
    assertThat(assigned.waiting()).containsExactly(young);
    assertThat(acted(first.id(), Day.action(Step.FAIL, "rider-2", "n:3", day.millis())).waiting())
        .containsExactly(young);
  }

  /** The id of a delivery that is assigned to the usual rider; its version is 3. */
  private String assigned() throws Exception {
    Delivery first = day.created(store, day.delivery());
    return day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER)).id();
  }

  private Delivery acted(String id, Move action) throws Exception {
    return Objects.requireNonNull(store.act(id, action));
  }
}
