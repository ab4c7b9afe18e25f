/** Writes maps: vector tiles, and the PMTiles file that holds them. */
@NullMarked
package gilmok.lab.tiles;

import org.jspecify.annotations.NullMarked;
