package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class RiderMissionsTest {
  private final RiderMissionsCodec codec = new RiderMissionsCodec();

  private static List<MissionStore.Progress> usual(int count) {
    List<MissionStore.Progress> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String json = "{\"count\":%d,\"updatedAt\":\"2026-11-22T09:%02d:00Z\"}".formatted(i, i % 60);
      all.add(new MissionStore.Progress("m" + i, json, i, i % 3 == 0 ? 1_795_000_000_000L : 0));
    }
    return all;
  }

  private static List<String> read(RiderMissions missions) {
    List<String> read = new ArrayList<>();
    missions.each(
        (id, bytes, offset, length, settledAt) ->
            read.add(
                id
                    + " "
                    + new String(bytes, offset, length, StandardCharsets.UTF_8)
                    + " "
                    + settledAt));
    return read;
  }

  @Test
  void whatWasPacked_isReadAgain_alsoByAnotherNode() {
    List<MissionStore.Progress> all = usual(40);
    all.add(new MissionStore.Progress("\ud83d\udef5".repeat(64), "{\"안\":\"녕\"}", 1, 7));
    List<String> expected =
        all.stream().map(p -> p.missionId() + " " + p.json() + " " + p.settledAt()).toList();
    RiderMissions packed = RiderMissions.of(all);
    assertThat(read(packed)).isEqualTo(expected);
    RiderMissions shared = Shown.there(codec.decode(codec.encode(packed)));
    assertThat(read(shared)).isEqualTo(expected);
    RiderMissions none = Shown.there(codec.decode(codec.encode(RiderMissions.of(List.of()))));
    assertThat(read(none)).isEmpty();
  }

  @Test
  void whatNodesShare_isAThird() {
    RiderMissions missions = RiderMissions.of(usual(30));
    assertThat(codec.encode(missions).length).isLessThan(missions.packed().length / 3);
  }

  @Test
  void anyBytes_areAValueThatCanBeRead_orNone() {
    Random random = new Random(8);
    byte[] good = codec.encode(RiderMissions.of(usual(30)));
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = i % 2 == 0 ? good.clone() : new byte[random.nextInt(200)];
      if (i % 2 == 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      } else {
        random.nextBytes(bytes);
        if (bytes.length > 0) {
          bytes[0] = (byte) (1 + random.nextInt(2));
        }
      }
      RiderMissions read = codec.decode(bytes);
      if (read != null) {
        assertThat(read(read)).isNotNull();
      }
    }
  }
}
