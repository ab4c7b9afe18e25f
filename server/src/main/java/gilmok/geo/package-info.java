/**
 * Points on the Earth, how far they are from each other, and an index that finds who is near while
 * everyone moves. Points are whole numbers: latitude and longitude in 1e-7 degrees ({@code e7}), at
 * most 1.1 cm each.
 */
@NullMarked
package gilmok.geo;

import org.jspecify.annotations.NullMarked;
