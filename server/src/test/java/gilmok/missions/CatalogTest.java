package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.background.BackgroundLoops;
import gilmok.compress.SmallFragmentCompressor;
import gilmok.config.Settings;
import gilmok.observe.Meters;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The catalog of all missions, over a store that is away. */
@Tag("unit")
final class CatalogTest {
  private final MemoryMissions store = new MemoryMissions();

  /**
   * Every pass must ask the store and fail. After a pass that tried nothing, the loop would report
   * that the store works again, many times a second.
   */
  @Test
  void storeAway_everyPassFails_untilItIsBack() throws Exception {
    store.failing = true;
    Catalog catalog =
        new Catalog(
            store,
            MissionsConfig.from(new Settings(Map.of())),
            InstantSource.system(),
            new CatalogSnapshot.Press(6, new SmallFragmentCompressor(1, 1)),
            true,
            BackgroundLoops.unwatched(),
            new Meters());
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(catalog::pass).isInstanceOf(IOException.class);
      assertThat(catalog.isRead()).isFalse();
    }
    store.failing = false;
    assertThat(catalog.pass()).isPositive();
    assertThat(catalog.isRead()).isTrue();
  }
}
