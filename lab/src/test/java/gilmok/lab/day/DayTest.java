package gilmok.lab.day;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class DayTest {
  @TempDir Path folder;

  private void write(String name, String... lines) throws IOException {
    Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  private Day small(String... orders) throws IOException {
    write(
        "instance_parameters.txt",
        "meters_per_minute\tpickup service minutes\tdropoff service minutes\t"
            + "target click-to-door\tmaximum click-to-door\tpay per order",
        "300\t4\t3\t40\t60\t10");
    write("restaurants.txt", "restaurant\tx\ty", "r1\t1000\t1000");
    write("couriers.txt", "courier\tx\ty\ton_time\toff_time", "c1\t1000\t4000\t600\t900");
    write("orders.txt", orders);
    return Day.read(folder);
  }

  @Test
  void spot_atDegrees_isThere() {
    Spot spot = Spot.at(37.5012, 127.0396);
    assertThat(spot.lat()).isCloseTo(37.5012, within(1e-9));
    assertThat(spot.lon()).isCloseTo(127.0396, within(1e-9));
  }

  private static final String HEAD = "order\tx\ty\tplacement_time\trestaurant\tready_time";

  @Test
  void schedule_anOrder_takesItsTime() throws Exception {
    Day day = small(HEAD, "o1\t1000\t2500\t620\tr1\t625");
    Schedule schedule = Schedule.of(day);
    assertThat(schedule.acts())
        .extracting(Act::kind)
        .containsExactly(
            Act.Kind.CREATE, Act.Kind.ACCEPT, Act.Kind.ASSIGN, Act.Kind.PICK_UP, Act.Kind.COMPLETE);
    // Assigned at 621; ten minutes to ride and four to pick up; five to ride, three at the door.
    assertThat(schedule.acts().get(3).minute()).isEqualTo(621 + 10 + 4);
    assertThat(schedule.acts().get(4).minute()).isEqualTo(635 + 5 + 3);
    List<Leg> ways = List.copyOf(schedule.ways().values().iterator().next());
    assertThat(ways).hasSize(2);
    Spot onTheWay = new Spot(1000, 4000 - 3000 * 5 / 14.0);
    assertThat(ways.getFirst().at(626)).isEqualTo(onTheWay);
  }

  @Test
  void schedule_tooLate_isCancelled() throws Exception {
    Day day = small(HEAD, "o1\t1000\t2500\t500\tr1\t505", "o2\t1000\t2500\t899\tr1\t990");
    assertThat(Schedule.of(day).acts())
        .extracting(Act::kind)
        .containsExactly(Act.Kind.CREATE, Act.Kind.CANCEL, Act.Kind.CREATE, Act.Kind.CANCEL);
  }

  @Test
  void read_damaged_namesFileAndLine() throws Exception {
    assertThatThrownBy(() -> small(HEAD, "o1\t1000\t2500\t620\tr9\t625"))
        .hasMessageContaining("orders.txt line 2: no such restaurant: r9");
    assertThatThrownBy(() -> small(HEAD, "o1\tfar\t2500\t620\tr1\t625"))
        .hasMessageContaining("orders.txt line 2: no number in the column \"x\": far");
    assertThatThrownBy(() -> small(HEAD, "o1\t1\t2500\t620\tr1"))
        .hasMessageContaining("orders.txt line 2: nothing in the column \"ready_time\"");
    assertThatThrownBy(() -> small(HEAD)).hasMessageContaining("no lines below its head");
  }

  @Test
  void madeUp_isADay_andTheSameAgain() {
    Day day = Day.madeUp(300, 40, 7);
    assertThat(Day.madeUp(300, 40, 7)).isEqualTo(day);
    assertSound(day);
  }

  @Test
  void madeUp_hasTwoMeals_andPromises() {
    Day day = Day.madeUp(1_000, 210, 1);
    List<Double> placed = day.orders().stream().map(Day.Order::placedMinute).toList();
    // Six in ten within an hour of noon or of seven in the evening, and none at four.
    assertThat(placed.stream().filter(at -> Math.abs(at - 735) < 60 || Math.abs(at - 1125) < 60))
        .hasSizeGreaterThan(600);
    assertThat(placed.stream().filter(at -> Math.abs(at - 930) < 30)).hasSizeLessThan(10);
    assertThat(day.orders())
        .allSatisfy(
            order -> {
              assertThat(order.dueMinute()).isEqualTo(order.placedMinute() + 40);
              assertThat(order.readyMinute() - order.placedMinute()).isBetween(8.0, 14.0);
            });
    List<Act.Kind> ends =
        Schedule.of(day).acts().stream().map(Act::kind).filter(Act.Kind::isEnd).toList();
    assertThat(ends.stream().filter(Act.Kind.COMPLETE::equals)).hasSizeGreaterThan(900);
  }

  @Test
  void written_isReadAsTheSameDay() throws Exception {
    Day day = Day.madeUp(60, 8, 3);
    DayFiles.write(day, folder);
    assertThat(Day.read(folder)).isEqualTo(day);
    // As others' programs read it: whole numbers, in their columns.
    assertThat(Files.readAllLines(folder.resolve("orders.txt")))
        .element(1)
        .asString()
        .matches("o\\d+(\t-?\\d+){3}\tr\\d+\t\\d+");
    assertThat(Files.readAllLines(folder.resolve("couriers.txt")))
        .element(1)
        .asString()
        .matches("c1(\t-?\\d+){4}");
  }

  @Test
  void promise_isNotBeforeTheOrderIsReady() throws Exception {
    Day day = small(HEAD, "o1\t1\t1\t620\tr1\t625", "o2\t1\t1\t621\tr1\t700");
    assertThat(day.orders()).extracting(Day.Order::dueMinute).containsExactly(660.0, 700.0);
  }

  @Test
  void realDays_haveSchedules() throws Exception {
    Path data = Path.of(System.getProperty("gilmok.data", "../../shared/data")).resolve("mdrp");
    assumeTrue(Files.isDirectory(data), "no days of meal deliveries in " + data);
    try (Stream<Path> days = Files.list(data)) {
      List<Path> all = days.toList();
      assertThat(all).isNotEmpty();
      for (Path one : all) {
        assertSound(Day.read(one));
      }
    }
  }

  /**
   * Asserts that each order ends once, that its steps are in order, and that no rider is in two
   * places at once.
   */
  private static void assertSound(Day day) {
    Schedule schedule = Schedule.of(day);
    assertThat(schedule.acts()).isSortedAccordingTo(Comparator.comparingDouble(Act::minute));
    Map<String, Act.Kind> last = new HashMap<>();
    Set<String> ended = new HashSet<>();
    for (Act act : schedule.acts()) {
      String order = act.order().name();
      Act.Kind before = last.put(order, act.kind());
      boolean isEnd = act.kind() == Act.Kind.COMPLETE || act.kind() == Act.Kind.CANCEL;
      assertThat(before == null ? -1 : before.compareTo(act.kind())).isNegative();
      assertThat(isEnd && !ended.add(order)).isFalse();
    }
    assertThat(ended).hasSize(day.orders().size());
    schedule
        .ways()
        .forEach(
            (courier, ways) -> {
              for (int i = 1; i < ways.size(); i++) {
                assertThat(ways.get(i).fromMinute())
                    .isGreaterThanOrEqualTo(ways.get(i - 1).toMinute());
                assertThat(ways.get(i).from()).as(courier).isEqualTo(ways.get(i - 1).to());
              }
            });
  }
}
