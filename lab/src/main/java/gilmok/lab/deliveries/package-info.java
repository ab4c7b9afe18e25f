/** Load of whole deliveries, from created to complete, at a rate; and the journal of a long run. */
@NullMarked
package gilmok.lab.deliveries;

import org.jspecify.annotations.NullMarked;
