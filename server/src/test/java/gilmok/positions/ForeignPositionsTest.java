package gilmok.positions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.storage.Checkpoint;
import gilmok.storage.FileDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Positions of other nodes beside those of the own log: the newest fix is the latest. */
@Tag("unit")
final class ForeignPositionsTest {
  private static final long NOON = 1_700_000_000_000L;

  private final LatestPositions positions = new LatestPositions(3, 64);
  private final ChangeNumbers numbers = ChangeNumbers.ofNode(NOON, 0);
  private final Fixes own = new Fixes(positions);
  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();

  ForeignPositionsTest() {
    positions.begin(numbers.last(0));
  }

  @Test
  void theNewestFix_isTheLatest_whereverItCameFrom() {
    own("a", NOON, 1);
    assertThat(foreign("a", NOON - 1, 2, NOON)).isFalse();
    assertThat(foreign("a", NOON + 1, 3, NOON + 2)).isTrue();
    own("a", NOON, 4);
    Follower reader = follow();
    assertThat(reader.known).containsEntry("a", List.of(3.0, 5.0));
    own("a", NOON + 2, 6);
    reader.listenToTheEnd();
    assertThat(reader.known).containsEntry("a", List.of(6.0, 5.0));
    assertThat(reader.events).isEqualTo(2);
  }

  @Test
  void theSamePositionAgain_isNoChange_andAnotherOfThatTimeIs() {
    assertThat(foreign("a", NOON, 1, NOON)).isTrue();
    assertThat(foreign("b", NOON, 1, NOON)).isTrue();
    Follower reader = follow();
    assertThat(foreign("a", NOON, 1, NOON + 7)).isFalse();
    assertThat(foreign("b", NOON, 1, PositionBatch.UNKNOWN)).isFalse();
    settle();
    reader.listenToTheEnd();
    assertThat(reader.events).isEqualTo(2);
    assertThat(foreign("a", NOON, 2, NOON)).isTrue();
  }

  @Test
  void aClockInTheFuture_isJudgedByTheArrivalAtItsNode() {
    assertThat(foreign("a", NOON + 600_001, 1, NOON)).isFalse();
    assertThat(foreign("a", NOON + 600_000, 1, NOON)).isTrue();
    assertThat(foreign("b", NOON + 900_000, 1, PositionBatch.UNKNOWN)).as("judged there").isTrue();
  }

  @Test
  void moreRidersThanTheBound_areTurnedAway() {
    for (int i = 0; i < 5; i++) {
      assertThat(foreign("rider-" + i, NOON, 1, NOON)).isEqualTo(i < 3);
    }
    assertThat(positions.turnedAway()).isEqualTo(2);
  }

  /** A reader that resumes after the restart is sent what is newer, and nothing else. */
  @Test
  void numbers_areSaved_andReadersResumeAfterARestart(@TempDir Path folder) throws Exception {
    foreign("a", NOON, 1, NOON);
    own("b", NOON, 1);
    settle();
    SavedPositions file =
        new SavedPositions(new Checkpoint(new FileDisk(), folder.resolve("live")));
    file.save(positions, 7);
    long told = positions.through();

    LatestPositions loaded = new LatestPositions(3, 64);
    assertThat(file.load(loaded, 9, Long.MAX_VALUE)).isEqualTo(7);
    ChangeNumbers next = ChangeNumbers.ofNode(NOON + 1000, loaded.newest());
    loaded.begin(next.last(7));
    assertThat(loaded.newest()).isEqualTo(told);
    assertThat(told).isLessThan(loaded.through());
    ChangeCursor cursor = new ChangeCursor(loaded);
    cursor.begin(told, loaded.through());
    assertThat(cursor.next()).as("all that is known was told").isFalse();
    assertThat(cursor.known()).isEqualTo(loaded.through());
  }

  private Follower follow() {
    settle();
    Follower reader = new Follower(positions, List.of(), null);
    reader.listenToTheEnd();
    return reader;
  }

  private void settle() {
    positions.settle(numbers.last(0));
  }

  private void own(String rider, long at, double lat) {
    own.take(rider, at, lat, 5, at, numbers.next(0));
    settle();
  }

  private boolean foreign(String rider, long at, double lat, long arrived) {
    String json = "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":5}".formatted(rider, at, lat);
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    decoder.decode(EventKind.POSITION, body, 0, body.length, events);
    return positions.takeForeign(
        events.bytes(), events.offset(0), events.length(0), arrived, numbers.next(0));
  }
}
