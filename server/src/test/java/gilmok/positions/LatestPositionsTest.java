package gilmok.positions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.storage.Checkpoint;
import gilmok.storage.FileDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Latest by fix time, whatever the order of arrival; fixes from wrong clocks are left out; the
 * memory is bounded; positions are saved and loaded.
 */
@Tag("unit")
final class LatestPositionsTest {
  private static final long NOON = 1_700_000_000_000L;

  private final LatestPositions positions = new LatestPositions(3, LatestPositions.CHANGES_MAX);
  private long sequence;

  @Test
  void take_latePoint_neverMovesTheLatestBack() {
    take("a", NOON, 1, NOON);
    take("a", NOON - 1, 2, NOON + 1);
    assertThat(json("a")).contains("\"lat\":1,");
    take("a", NOON + 5, 3, NOON + 6);
    assertThat(json("a")).contains("\"lat\":3,");
  }

  @Test
  void take_clockInTheFuture_isNotUsedAndDoesNotStick() {
    take("a", NOON, 1, NOON);
    take("a", NOON + 600_001, 2, NOON);
    assertThat(json("a")).contains("\"lat\":1,");
    take("a", NOON + 1, 3, NOON + 2);
    assertThat(json("a")).contains("\"lat\":3,");
    take("a", NOON + 600_000, 4, NOON);
    assertThat(json("a")).contains("\"lat\":4,");
  }

  @Test
  void take_ridersMixed_keepsEachItsOwn() {
    for (int i = 0; i < 30; i++) {
      take("rider-" + i % 3, NOON + i, i, NOON + i);
    }
    assertThat(json("rider-0")).contains("\"lat\":27,");
    assertThat(json("rider-1")).contains("\"lat\":28,");
    assertThat(json("rider-2")).contains("\"lat\":29,");
  }

  @Test
  void take_moreRidersThanTheBound_turnsAwayAndCounts() {
    for (int i = 0; i < 5; i++) {
      take("rider-" + i, NOON, 1, NOON);
    }
    assertThat(positions.size()).isEqualTo(3);
    assertThat(positions.turnedAway()).isEqualTo(2);
    assertThat(json("rider-4")).isNull();
    assertThat(positions.forgetBefore(NOON + 1)).isTrue();
    take("rider-4", NOON + 2, 1, NOON + 2);
    assertThat(json("rider-4")).isNotNull();
  }

  @Test
  void forgetBefore_moreThanAtOnce_goesOnWithTheNextCall() {
    LatestPositions many = new LatestPositions(30_000, LatestPositions.CHANGES_MAX);
    for (int i = 0; i < 25_000; i++) {
      take(many, "rider-" + i, NOON, 1, NOON + i % 2);
    }
    assertThat(many.forgetBefore(NOON)).isTrue();
    assertThat(many.size()).isEqualTo(25_000);
    int calls = 1;
    while (!many.forgetBefore(NOON + 1001)) {
      calls++;
    }
    assertThat(calls).isGreaterThan(1);
    assertThat(many.size()).isZero();
    assertThat(json(many, "rider-7")).isNull();
    take(many, "rider-7", NOON, 3, NOON);
    assertThat(json(many, "rider-7")).contains("\"lat\":3,");
    assertThat(many.numbers()).isEqualTo(25_000);
  }

  @Test
  void save_thenLoad_givesEveryoneAndTheSequence(@TempDir Path folder) throws Exception {
    take("가나다", NOON, 1, NOON);
    take("b", NOON + 1, 2, NOON + 1);
    SavedPositions file =
        new SavedPositions(new Checkpoint(new FileDisk(), folder.resolve("live")));
    file.save(positions, 77);

    LatestPositions loaded = new LatestPositions(3, LatestPositions.CHANGES_MAX);
    assertThat(file.load(loaded, 80, 80)).isEqualTo(77);
    assertThat(loaded.size()).isEqualTo(2);
    assertThat(json(loaded, "가나다")).isEqualTo(json("가나다"));

    byte[] bytes = Files.readAllBytes(folder.resolve("live"));
    bytes[20] ^= 1;
    Files.write(folder.resolve("live"), bytes);
    LatestPositions damaged = new LatestPositions(3, LatestPositions.CHANGES_MAX);
    assertThat(file.load(damaged, 80, 80)).isZero();
    assertThat(damaged.size()).isZero();
  }

  @Test
  void load_ofTheFirstForm_givesEveryoneASequenceOfTheirOwn(@TempDir Path folder) throws Exception {
    take("a", NOON, 1, NOON);
    take("b", NOON, 2, NOON);
    Checkpoint file = new Checkpoint(new FileDisk(), folder.resolve("live"));
    file.replace(
        out -> {
          out.writeLong(77);
          PositionCopy copy = new PositionCopy();
          for (int number = 0; number < positions.numbers(); number++) {
            assertThat(positions.copy(number, copy)).isTrue();
            byte[] event = copy.event();
            out.writeByte(1);
            out.writeLong(NOON);
            out.writeInt(event.length);
            out.write(event);
          }
          out.writeByte(0);
        });
    LatestPositions loaded = new LatestPositions(3, LatestPositions.CHANGES_MAX);
    assertThat(new SavedPositions(file).load(loaded, 80, 80)).isEqualTo(77);
    assertThat(json(loaded, "a")).isEqualTo(json("a"));
    assertThat(sequences(loaded)).containsExactlyInAnyOrder(76L, 77L);
  }

  @Test
  void load_ofTheSecondForm_givesEveryoneTheirSequence(@TempDir Path folder) throws Exception {
    take("a", NOON, 1, NOON);
    take("b", NOON, 2, NOON);
    Checkpoint file = new Checkpoint(new FileDisk(), folder.resolve("live"));
    file.replace(
        out -> {
          out.writeLong(-2);
          out.writeLong(77);
          PositionCopy copy = new PositionCopy();
          for (int number = 0; number < positions.numbers(); number++) {
            assertThat(positions.copy(number, copy)).isTrue();
            out.writeByte(1);
            copy.writeTo(out);
          }
          out.writeByte(0);
        });
    LatestPositions loaded = new LatestPositions(3, LatestPositions.CHANGES_MAX);
    assertThat(new SavedPositions(file).load(loaded, 80, 80)).isEqualTo(77);
    assertThat(json(loaded, "b")).isEqualTo(json("b"));
    assertThat(sequences(loaded)).containsExactlyInAnyOrder(1L, 2L);
  }

  /** A snapshot is saved beside the log's follower: what it has too new is read again. */
  @Test
  void load_ofASnapshotWithLaterPositions_andTheLogAgain_givesTheNewest(@TempDir Path folder)
      throws Exception {
    take("a", NOON, 1, NOON);
    take("a", NOON + 2, 2, NOON);
    take("b", NOON + 3, 3, NOON);
    SavedPositions file =
        new SavedPositions(new Checkpoint(new FileDisk(), folder.resolve("live")));
    file.save(positions, 1);
    LatestPositions loaded = new LatestPositions(3, LatestPositions.CHANGES_MAX);
    assertThat(file.load(loaded, 4, 4)).isEqualTo(1);
    sequence = 1;
    take(loaded, "a", NOON + 2, 2, NOON);
    take(loaded, "b", NOON + 3, 3, NOON);
    take(loaded, "a", NOON + 4, 4, NOON);
    loaded.settle(sequence);
    assertThat(json(loaded, "a")).contains("\"lat\":4,");
    assertThat(json(loaded, "b")).isEqualTo(json("b"));
    assertThat(sequences(loaded)).containsExactlyInAnyOrder(3L, 4L);
  }

  @Test
  void load_ofASnapshotAheadOfTheLog_tellsOfNobodyBeyondIt(@TempDir Path folder) throws Exception {
    take("a", NOON, 1, NOON);
    take("b", NOON, 2, NOON);
    SavedPositions file =
        new SavedPositions(new Checkpoint(new FileDisk(), folder.resolve("live")));
    file.save(positions, 77);
    LatestPositions loaded = new LatestPositions(3, LatestPositions.CHANGES_MAX);
    assertThat(file.load(loaded, 50, 50)).isEqualTo(50);
    assertThat(sequences(loaded)).containsExactlyInAnyOrder(49L, 50L);
  }

  private static List<Long> sequences(LatestPositions loaded) {
    return IntStream.range(0, loaded.numbers()).mapToObj(loaded::sequence).toList();
  }

  private void take(String rider, long at, int lat, long arrived) {
    take(positions, rider, at, lat, arrived);
  }

  private void take(LatestPositions to, String rider, long at, int lat, long arrived) {
    byte[] body =
        "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%d,\"lon\":127.5}"
            .formatted(rider, at, lat)
            .getBytes(StandardCharsets.UTF_8);
    Events events = new Events();
    new JsonDecoder().decode(EventKind.POSITION, body, 0, body.length, events);
    to.take(events.bytes(), events.offset(0), events.length(0), arrived, ++sequence);
  }

  private @Nullable String json(String rider) {
    return json(positions, rider);
  }

  private static @Nullable String json(LatestPositions from, String rider) {
    PositionCopy copy = new PositionCopy();
    if (from.find(RiderKey.of(rider), copy) == RiderTable.NONE) {
      return null;
    }
    JsonBuffer out = new JsonBuffer();
    copy.writeJson(out);
    return out.toString();
  }
}
