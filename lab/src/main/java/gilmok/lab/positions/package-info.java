/** Measures the live part: who is near, beside Redis; and what streams of positions cost. */
@NullMarked
package gilmok.lab.positions;

import org.jspecify.annotations.NullMarked;
