package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.background.BackgroundLoops;
import gilmok.config.Settings;
import gilmok.http.Offloads;
import gilmok.observe.Meters;
import gilmok.retention.DocumentRetention;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A request reads nothing twice; and what happens when the store does not answer. */
@Tag("unit")
final class MissionServiceTest {
  private final MemoryMissions store = new MemoryMissions();
  private final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  private Missions missions;
  private MissionService desk;

  @BeforeEach
  void open() throws Exception {
    Settings settings = new Settings(Map.of("missions.bytes-max", "256 KiB"));
    missions =
        new Missions(
            MissionsConfig.from(settings),
            new DocumentRetention<>(
                ClosedMissions.KIND,
                () -> Duration.ZERO,
                4,
                (_, _) -> {},
                new MissionRemoval(unasked())),
            new Missions.Means(
                store,
                false,
                null,
                6,
                InstantSource.system(),
                BackgroundLoops.unwatched(),
                meters,
                offloads,
                "n1"));
    desk = missions.desk();
    desk.catalog().put(Shown.mission("a", "{\"goal\":1}"));
    desk.catalog().put(Shown.mission("b", "{\"goal\":1}"));
    store.putProgress("r", "a", "{\"count\":1}");
    store.putProgress("r", "b", "{\"count\":1}");
    store.calls.clear();
  }

  /** Of a server that keeps everything nothing is asked. */
  private static MissionRows unasked() {
    Class<?>[] type = {MissionRows.class};
    return (MissionRows)
        Proxy.newProxyInstance(MissionRows.class.getClassLoader(), type, (_, _, _) -> null);
  }

  @AfterEach
  void close() throws Exception {
    missions.drain(Duration.ofSeconds(5));
    offloads.close();
    meters.close();
  }

  @Test
  void settling_readsOnce_andWritesOnce() throws Exception {
    assertThat(desk.settle("r", false)).isNotNull();
    assertThat(store.calls).containsExactly("progress r", "settle r");
    store.calls.clear();
    assertThat(desk.settle("r", false)).isNotNull();
    assertThat(store.calls).containsExactly("progress r");
  }

  @Test
  void profile_writesOnce_andReadsOnce_orNotAtAll() throws Exception {
    desk.profile("r", "{}");
    assertThat(store.calls).containsExactly("putProfile r", "progress r");
    store.calls.clear();
    desk.profile("r", "{}");
    assertThat(store.calls).containsExactly("putProfile r");
  }

  @Test
  void showing_readsOnce_andThenNoMore() throws Exception {
    assertThat(desk.held("r")).isNull();
    assertThat(desk.show("r")).isNotNull();
    assertThat(desk.held("r")).isNotNull();
    assertThat(store.calls).containsExactly("progress r");
  }

  @Test
  void whatChangesWhileItIsSettled_isReadAgain() throws Exception {
    store.beforeSettle = () -> store.putProgress("r", "a", "{\"count\":7}");
    RenderedMissions rendered = Shown.there(desk.settle("r", false));
    assertThat(Shown.text(rendered))
        .contains("\"a\":{\"count\":7}")
        .contains("\"b\":{\"count\":1,\"settledAt\":");
  }

  @Test
  void missionThatCannotBeRead_keepsNoOtherBack() throws Exception {
    store.put(new MissionStore.Kept("newer", "[]"));
    store.put(new MissionStore.Kept("other", "{\"x\":1}"));
    assertThat(desk.find("other")).isNotNull();
    assertThat(desk.find("newer")).isNull();
  }

  @Test
  void missions_haveBounds_togetherToo() throws Exception {
    String text = "{\"text\":\"" + "x".repeat(60_000) + "\"}";
    int put = 0;
    while (desk.catalog().put(Shown.mission("m" + put, text)) == Catalog.Put.DONE) {
      put++;
    }
    assertThat(put).isEqualTo(4);
    assertThat(desk.catalog().put(Shown.mission("m" + put, text))).isEqualTo(Catalog.Put.TOO_LARGE);
    assertThat(desk.catalog().put(Shown.mission("m0", text))).isEqualTo(Catalog.Put.DONE);
    assertThat(desk.find("m" + put)).isNull();
  }

  @Test
  void aWriteThatFails_isNotBelieved_eitherWay() throws Exception {
    desk.show("r");
    store.failing = true;
    assertThatThrownBy(() -> desk.put("r", Shown.mission("a", "{}"), "{\"count\":2}"))
        .isInstanceOf(IOException.class);
    assertThat(desk.held("r")).isNull();
    assertThatThrownBy(() -> desk.show("r")).isInstanceOf(IOException.class);
    store.failing = false;
  }
}
