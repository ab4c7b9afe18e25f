package gilmok.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import gilmok.lab.day.Act;
import gilmok.lab.day.Spot;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class DispatchTest {
  private static final long START = 1_772_330_400_000L;
  private static final int RIDERS = 60;

  /**
   * How far a rider may be from the place of an act: the fix comes within 5 s of leaving it, and
   * nobody rides faster than 20 m/s.
   */
  private static final double SINCE_METRES = 100;

  @Test
  void acts_ofTwoHours_areInOrder_andWhereTheRidersAre() {
    Map<String, List<Act>> orders = new HashMap<>();
    List<Fleet> fleet = new ArrayList<>();
    drive(
        1,
        fleet,
        act -> {
          orders.computeIfAbsent(act.order().name(), _ -> new ArrayList<>()).add(act);
          assertIsThere(fleet.getFirst(), act);
        });
    int completed = 0;
    Set<String> busy = new HashSet<>();
    for (List<Act> acts : orders.values()) {
      List<Act.Kind> whole = whole();
      assertThat(acts).extracting(Act::kind).isEqualTo(whole.subList(0, acts.size()));
      assertThat(acts).extracting(Act::courier).containsOnly(acts.getFirst().courier());
      assertThat(acts).isSortedAccordingTo((a, b) -> Double.compare(a.minute(), b.minute()));
      Act first = acts.getFirst();
      assertThat(first.minute()).isGreaterThanOrEqualTo(first.order().placedMinute());
      assertThat(first.order().readyMinute()).isGreaterThan(first.order().placedMinute());
      completed += acts.size() == whole.size() ? 1 : 0;
      boolean isOpen = acts.size() < whole.size();
      assertThat(isOpen && !busy.add(String.valueOf(first.courier()))).as("two at once").isFalse();
    }
    assertThat(completed).isGreaterThan(RIDERS);
  }

  @Test
  void acts_tenTimesFaster_haveTimesOfTheWorld() {
    List<Act> acts = new ArrayList<>();
    drive(10, new ArrayList<>(), acts::add);
    assertThat(acts).extracting(Act::kind).contains(Act.Kind.COMPLETE);
    assertThat(acts).allSatisfy(act -> assertThat(act.minute()).isBetween(0.0, 12.0));
    assertThat(Dispatch.millis(plan(10), 1.5)).isEqualTo(START + 90_000);
  }

  private static List<Act.Kind> whole() {
    return List.copyOf(EnumSet.complementOf(EnumSet.of(Act.Kind.CANCEL)));
  }

  private static void assertIsThere(Fleet fleet, Act act) {
    if (act.kind() == Act.Kind.PICK_UP || act.kind() == Act.Kind.COMPLETE) {
      int number = Integer.parseInt(String.valueOf(act.courier()).substring("rider-".length()));
      Rider rider = fleet.phones().get(number - 1).rider();
      Spot there =
          act.kind() == Act.Kind.PICK_UP ? act.order().restaurant().spot() : act.order().spot();
      assertThat(FlatMap.x(there.lon())).isCloseTo(rider.x(), within(SINCE_METRES));
      assertThat(FlatMap.y(there.lat())).isCloseTo(rider.y(), within(SINCE_METRES));
    }
  }

  private static Fleet.Plan plan(double speed) {
    return new Fleet.Plan(RIDERS, 5, START, speed);
  }

  /** Runs two hours of the fleet's time. */
  private static void drive(double speed, List<Fleet> made, Consumer<Act> told) {
    Fleet.Plan plan = plan(speed);
    Fleet fleet = new Fleet(plan, new Dispatch(plan, told));
    made.add(fleet);
    fleet.advance(plan.inWorld(START + 7_200_000), _ -> {});
  }
}
