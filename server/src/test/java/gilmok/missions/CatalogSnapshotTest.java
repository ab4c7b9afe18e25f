package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.compress.SmallFragmentCompressor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class CatalogSnapshotTest {
  private static final long NOW = 1_000_000;
  private static final long KEPT = 10_000;
  private static final CatalogSnapshot.Press PRESS =
      new CatalogSnapshot.Press(6, new SmallFragmentCompressor(1, 1));

  private static Mission mission(String id, String json) {
    return Shown.mission(id, json);
  }

  private static CatalogSnapshot shelf(
      long now, @Nullable CatalogSnapshot old, Mission... missions) {
    return new CatalogSnapshot(List.of(missions), now, KEPT, PRESS, old);
  }

  private static String shown(
      CatalogSnapshot snapshot, String rider, MissionStore.Progress... progress) {
    return Shown.text(RiderMissions.of(List.of(progress)).rendered(snapshot, rider));
  }

  /** The last compressed piece that riders share; the rider's own follows it. */
  private static byte[] compressed(CatalogSnapshot snapshot, String rider) {
    List<byte[]> parts = snapshot.head(rider).gzip();
    return parts.get(parts.size() - 2);
  }

  @Test
  void anAnswer_isJson_whateverIsOpen() {
    Mission all = mission("a", "{}");
    Mission some = mission("b", "{\"riders\":[\"r-1\"]}");
    Mission more = mission("c", "{\"riders\":[\"r-1\",\"r-2\"]}");
    assertThat(shown(shelf(NOW, null), "r-1")).isEqualTo("{\"items\":[],\"progress\":{}}");
    assertThat(shown(shelf(NOW, null, some), "r-1"))
        .isEqualTo("{\"items\":[{\"id\":\"b\"}],\"progress\":{}}");
    assertThat(shown(shelf(NOW, null, some), "r-2")).isEqualTo("{\"items\":[],\"progress\":{}}");
    assertThat(shown(shelf(NOW, null, some, more), "r-1"))
        .isEqualTo("{\"items\":[{\"id\":\"b\"},{\"id\":\"c\"}],\"progress\":{}}");
    assertThat(shown(shelf(NOW, null, all, some, more), "r-2"))
        .isEqualTo("{\"items\":[{\"id\":\"a\"},{\"id\":\"c\"}],\"progress\":{}}");
  }

  @Test
  void progress_isShown_ofWhatTheRiderIsShown() {
    CatalogSnapshot snapshot =
        shelf(
            NOW,
            null,
            mission("a", "{}"),
            mission("b", "{\"riders\":[\"r-1\"]}"),
            mission("c", "{\"to\":" + NOW + "}"));
    MissionStore.Progress[] all = {
      new MissionStore.Progress("c", "{}", 1, 0),
      new MissionStore.Progress("a", "{}", 1, 5),
      new MissionStore.Progress("b", "{\"n\":1}", 1, 5),
      new MissionStore.Progress("gone", "{}", 1, 0)
    };
    assertThat(shown(snapshot, "r-2", all))
        .endsWith("\"progress\":{\"a\":{\"settledAt\":\"1970-01-01T00:00:00.005Z\"}}}");
    assertThat(shown(snapshot, "r-1", all))
        .endsWith(",\"b\":{\"n\":1,\"settledAt\":\"1970-01-01T00:00:00.005Z\"}}}");
  }

  @Test
  void itHasToBeAnother_whenSomethingOpensEndsOrIsForgotten() {
    Mission mission = mission("a", "{\"from\":" + (NOW + 5) + ",\"to\":" + (NOW + 9) + "}");
    assertThat(shelf(NOW, null, mission).until()).isEqualTo(NOW + 5);
    assertThat(shelf(NOW, null, mission).size()).isZero();
    assertThat(shelf(NOW, null, mission).ids()).containsExactly("a");
    assertThat(shelf(NOW + 5, null, mission).until()).isEqualTo(NOW + 9);
    assertThat(shelf(NOW + 5, null, mission).size()).isOne();
    assertThat(shelf(NOW + 9, null, mission).until()).isEqualTo(NOW + 9 + KEPT);
    assertThat(shelf(NOW + 9, null, mission).size()).isZero();
    assertThat(shelf(NOW + 9, null, mission).ids()).containsExactly("a");
    CatalogSnapshot after = shelf(NOW + 9 + KEPT, null, mission);
    assertThat(after.until()).isEqualTo(Long.MAX_VALUE);
    assertThat(after.ids()).isEmpty();
    assertThat(shelf(NOW, null, mission("a", "{}")).until()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void whatHasNotChanged_isNotCompressedAgain() {
    Mission all = mission("a", "{\"x\":1}");
    CatalogSnapshot first = shelf(NOW, null, all);
    CatalogSnapshot second = shelf(NOW, first, all, mission("b", "{\"riders\":[\"r-1\"]}"));
    assertThat(compressed(second, "r-2")).isSameAs(compressed(first, "r-2"));
    CatalogSnapshot third = shelf(NOW, second, mission("a", "{\"x\":2}"));
    assertThat(compressed(third, "r-2")).isNotSameAs(compressed(first, "r-2"));
  }

  /** A rider's values stay in memory between requests; they must not keep an old snapshot alive. */
  @Test
  void whoIsNotAskedForAgain_holdsNoOldMissions() {
    RiderMissions kept = RiderMissions.of(List.of());
    CatalogSnapshot[] shelf = {
      shelf(NOW, null, mission("a", "{}"), mission("b", "{\"riders\":[\"r\"]}"))
    };
    WeakReference<CatalogSnapshot> old = new WeakReference<>(shelf[0]);
    String tag = kept.rendered(shelf[0], "r").tag();
    shelf[0] = shelf(NOW, null, mission("a", "{\"x\":1}"));
    for (int i = 0; old.get() != null && i < 100; i++) {
      System.gc();
    }
    assertThat(old.get()).isNull();
    assertThat(kept.rendered(shelf[0], "r").tag()).isNotEqualTo(tag);
  }

  @Test
  void ridersOfTheSameMissions_shareTheirPiece_andThereIsABound() {
    List<Mission> missions = new ArrayList<>();
    for (int i = 0; i < 1100; i++) {
      missions.add(mission("m" + i, "{\"riders\":[\"r-%d\",\"x\",\"y\"]}".formatted(i)));
    }
    CatalogSnapshot snapshot = new CatalogSnapshot(missions, NOW, KEPT, PRESS, null);
    assertThat(compressed(snapshot, "x")).isSameAs(compressed(snapshot, "y"));
    for (int i = 0; i < 1100; i++) {
      String id = "{\"id\":\"m" + i + "\"}";
      assertThat(shown(snapshot, "r-" + i)).contains("[" + id + "]");
    }
  }

  @Test
  void theTag_changesWithEachPart_andWithNothingElse() {
    CatalogSnapshot snapshot =
        shelf(NOW, null, mission("a", "{}"), mission("b", "{\"riders\":[\"r-1\"]}"));
    MissionStore.Progress one = new MissionStore.Progress("a", "{\"n\":1}", 1, 0);
    MissionStore.Progress later = new MissionStore.Progress("a", "{\"n\":1}", 9, 0);
    MissionStore.Progress two = new MissionStore.Progress("a", "{\"n\":2}", 1, 0);
    String tag = RiderMissions.of(List.of(one)).rendered(snapshot, "r-1").tag();
    assertThat(RiderMissions.of(List.of(later)).rendered(snapshot, "r-1").tag()).isEqualTo(tag);
    assertThat(RiderMissions.of(List.of(two)).rendered(snapshot, "r-1").tag()).isNotEqualTo(tag);
    assertThat(RiderMissions.of(List.of(one)).rendered(snapshot, "r-2").tag()).isNotEqualTo(tag);
  }
}
