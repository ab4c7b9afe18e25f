/**
 * Points on the Earth, the distances between them, and an index that finds nearby points while they
 * move. Coordinates are whole numbers: latitude and longitude in 1e-7 degrees ({@code e7}), at most
 * 1.1 cm each.
 */
@NullMarked
package gilmok.geo;

import org.jspecify.annotations.NullMarked;
