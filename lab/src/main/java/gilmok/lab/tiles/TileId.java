package gilmok.lab.tiles;

/**
 * A tile's place in the pyramid. Immutable.
 *
 * @param zoom 0 for the whole world
 * @param x counted from the west
 * @param y counted from the north
 */
public record TileId(int zoom, int x, int y) {
  /**
   * Its number in a PMTiles file: the tiles of lower zooms come first, those of one zoom follow the
   * Hilbert curve. Each step halves the square and turns it as the curve enters it.
   */
  long number() {
    long number = ((1L << (2 * zoom)) - 1) / 3;
    long column = x;
    long row = y;
    for (long side = (1L << zoom) / 2; side > 0; side /= 2) {
      boolean east = (column & side) != 0;
      boolean south = (row & side) != 0;
      number += side * side * ((east ? 3 : 0) ^ (south ? 1 : 0));
      if (!south) {
        if (east) {
          column = side - 1 - (column & side - 1);
          row = side - 1 - (row & side - 1);
        }
        long turned = column;
        column = row;
        row = turned;
      }
    }
    return number;
  }
}
