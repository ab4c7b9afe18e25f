package gilmok.lab.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TileIdTest {
  /** The examples of the specification's reference: the whole world, its quarters, then deeper. */
  @Test
  void number_ofTheFirstTiles_asTheFormatHasThem() {
    assertThat(new TileId(0, 0, 0).number()).isZero();
    assertThat(new TileId(1, 0, 0).number()).isEqualTo(1);
    assertThat(new TileId(1, 0, 1).number()).isEqualTo(2);
    assertThat(new TileId(1, 1, 1).number()).isEqualTo(3);
    assertThat(new TileId(1, 1, 0).number()).isEqualTo(4);
    assertThat(new TileId(2, 0, 0).number()).isEqualTo(5);
  }

  /** A Hilbert curve visits every tile of a zoom once, each beside the one before. */
  @Test
  void number_ofAZoom_isAWalkFromTileToTile() {
    for (int zoom = 1; zoom < 8; zoom++) {
      Map<Long, TileId> walk = new HashMap<>();
      for (int x = 0; x < 1 << zoom; x++) {
        for (int y = 0; y < 1 << zoom; y++) {
          TileId id = new TileId(zoom, x, y);
          assertThat(walk.put(id.number(), id)).isNull();
        }
      }
      long first = ((1L << (2 * zoom)) - 1) / 3;
      for (long number = first + 1; number < first + walk.size(); number++) {
        TileId before = Objects.requireNonNull(walk.get(number - 1));
        TileId here = Objects.requireNonNull(walk.get(number));
        assertThat(Math.abs(here.x() - before.x()) + Math.abs(here.y() - before.y()))
            .as("from %s to %s", before, here)
            .isEqualTo(1);
      }
    }
  }
}
