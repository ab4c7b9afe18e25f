/**
 * Measures the live part: the search for nearby riders, beside Redis; and the cost of streams of
 * positions.
 */
@NullMarked
package gilmok.lab.positions;

import org.jspecify.annotations.NullMarked;
