/** Whole deliveries, from created to complete, at a rate; and the journal of a long run of them. */
@NullMarked
package gilmok.lab.deliveries;

import org.jspecify.annotations.NullMarked;
