package gilmok.lab.missions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("unit")
class MadeUpMissionsTest {
  private final MadeUpMissions made = new MadeUpMissions(1_000);

  @Test
  void answers_are100kBAndPackAsRealOnesDo() {
    byte[] plain = AnswerWay.plain(made, 5, made.progress(5));
    int packed = Packing.gzip(plain, 6).length;
    assertThat(plain.length).isBetween(90_000, 112_000);
    assertThat((double) packed / plain.length).isBetween(0.25, 0.38);
  }

  @Test
  void made_anotherTime_areTheSame() {
    MadeUpMissions again = new MadeUpMissions(1_000);
    for (int rider : List.of(0, 37, 999)) {
      assertThat(AnswerWay.plain(again, rider, again.progress(rider)))
          .isEqualTo(AnswerWay.plain(made, rider, made.progress(rider)));
    }
  }

  @Test
  void missions_allButThree_areOpenToAll() {
    for (int number = 0; number < MadeUpMissions.COUNT; number++) {
      JsonNode some = made.mission(number).path("riders");
      int mission = number;
      long open = IntStream.range(0, 1_000).filter(rider -> made.isOpen(mission, rider)).count();
      assertThat(some.size()).isEqualTo(number < 37 ? 0 : 10);
      assertThat(open).isEqualTo(number < 37 ? 1_000 : 10);
    }
  }

  @Test
  void missions_forSomeOfFewRiders_areForThemOnly() {
    MadeUpMissions few = new MadeUpMissions(1);
    assertThat(few.open(0)).hasSize(MadeUpMissions.COUNT);
  }

  @Test
  void progress_isOfThirtyAndNeverDue() {
    JsonNode progress = made.progress(123);
    assertThat(progress.size()).isEqualTo(MadeUpMissions.PROGRESSES);
    for (int number : MadeUpMissions.progressed()) {
      int count = progress.path(MadeUpMissions.id(number)).path("count").asInt(-1);
      assertThat(count).isBetween(0, made.mission(number).path("goal").asInt() - 1);
    }
  }

  @Test
  void riders_areKnownByTheirIds() {
    assertThat(MadeUpMissions.number(MadeUpMissions.rider(42))).isEqualTo(42);
    assertThat(MadeUpMissions.number("rider-42")).isEqualTo(-1);
    assertThat(MadeUpMissions.number("someone")).isEqualTo(-1);
  }

  @Test
  void missions_areObjectsWithARoundTrip() {
    JsonNode mission = made.mission(39);
    assertThat(JsonMapper.shared().readTree(mission.toString())).isEqualTo(mission);
  }
}
