package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.JsonBuffer;
import gilmok.event.RiderAlias;
import gilmok.event.RiderErasure;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The contract of putting a pseudonym into the deliveries of a rider, whatever stores them. */
abstract class DeliveryErasureContract extends OutboxCase {
  private static final RiderAlias ALIAS = new RiderAlias(Day.RIDER, "p-abc");

  private static DeliveryStore.Filter of(String rider) {
    return new DeliveryStore.Filter(null, rider, null, null, null, null);
  }

  private Delivery found(String id) throws Exception {
    return Objects.requireNonNull(store.find(id));
  }

  private Delivery acted(String id, Move action) throws Exception {
    return Objects.requireNonNull(store.act(id, action));
  }

  @Test
  void itsDeliveries_stayUnderThePseudonym_withoutItsPlaces() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery assigned = day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    Delivery picked = acted(first.id(), day.action(Step.PICK_UP, "n:1"));
    assertThat(picked.events().getLast().details().lat()).isNotNull();
    assertThat(rig.rename(ALIAS)).isOne();
    Delivery after = found(first.id());
    assertThat(after.riderId()).isEqualTo("p-abc");
    assertThat(after.version()).isEqualTo(picked.version());
    assertThat(after.toString()).doesNotContain(Day.RIDER);
    assertThat(after.events().getLast().by()).isEqualTo("rider:p-abc");
    assertThat(after.events().getLast().details().lat()).isNull();
    assertThat(after.events().get(2).riderId()).isEqualTo("p-abc");
    assertThat(after.order()).isEqualTo(assigned.order());
    assertThat(store.list(of("p-abc"), null, 10)).containsExactly(after);
    assertThat(store.list(of(Day.RIDER), null, 10)).isEmpty();
    assertThat(due(OutboxReader.LOG).getFirst().delivery()).isEqualTo(after);
    assertThat(rig.rename(ALIAS)).as("once more").isZero();
  }

  @Test
  void itGoesOn_andIsMovedAsBefore() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    assertThat(rig.rename(ALIAS)).isOne();
    Delivery done = day.moved(store, first.id(), day.move(Step.PICK_UP), day.move(Step.COMPLETE));
    assertThat(done.status()).isEqualTo(Status.COMPLETED);
    assertThat(done.toString()).doesNotContain(Day.RIDER);
  }

  @Test
  void whoWasUnassigned_isTakenOutOfTheHistory_andOthersStay() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER), day.assign("r-2"));
    Delivery other = day.created(store, day.delivery());
    Delivery others = day.moved(store, other.id(), day.move(Step.ACCEPT), day.assign("rider-11"));
    assertThat(rig.rename(ALIAS)).isOne();
    Delivery after = found(first.id());
    assertThat(after.riderId()).isEqualTo("r-2");
    assertThat(after.toString()).doesNotContain(Day.RIDER).contains("p-abc");
    assertThat(store.find(other.id())).as("an id that begins likewise").isEqualTo(others);
  }

  @Test
  void anActionThatCameEarly_waitsOnUnderThePseudonym() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    Delivery waiting = acted(first.id(), day.action(Step.COMPLETE, "n:2"));
    assertThat(waiting.waiting()).hasSize(1);
    assertThat(rig.rename(ALIAS)).isOne();
    assertThat(found(first.id()).toString()).doesNotContain(Day.RIDER);
    Delivery done = day.moved(store, first.id(), day.move(Step.PICK_UP));
    assertThat(done.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void manyDeliveries_areAllFound() throws Exception {
    for (int i = 0; i < 250; i++) {
      Delivery one = day.created(store, day.delivery());
      if (i % 2 == 0) {
        day.moved(store, one.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
      }
    }
    assertThat(rig.rename(ALIAS)).isEqualTo(125);
    List<Delivery> all = store.list(of("p-abc"), null, 1_000);
    assertThat(all).hasSize(125);
  }

  @Test
  void aRecordOfTheLog_hasThePseudonymAndNoPlace() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    Delivery picked = acted(first.id(), day.action(Step.PICK_UP, "n:1"));
    JsonBuffer out = new JsonBuffer();
    DeliveryJson.told(picked.events().getLast(), picked, out);
    String before = out.toString();
    assertThat(before).contains(Day.RIDER).containsPattern("\"event\":\\{.*\"lat\":");
    assertThat(new RiderErasure(ALIAS).renamed(before))
        .doesNotContain(Day.RIDER)
        .contains("\"riderId\":\"p-abc\"")
        .contains("\"pickup\":{\"lat\":")
        .doesNotContainPattern("\"event\":\\{.*\"lat\":");
    assertThat(new RiderErasure(new RiderAlias("other", "p-b")).renamed(before)).isSameAs(before);
  }
}
