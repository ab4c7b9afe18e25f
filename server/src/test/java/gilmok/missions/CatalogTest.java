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

/** All missions in memory, over a store that is away. */
@Tag("unit")
final class CatalogTest {
  private final MemoryMissions store = new MemoryMissions();

  /** A pass that tried nothing would have the loop say that it works again, many times a second. */
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
