/**
 * The customer's page: where the rider is while the delivery is on its way to them, and when to
 * expect it. Whoever has the link sees it, so it says no more than that: no names, no addresses, no
 * ids, and after the arrival only that there was one.
 */
@NullMarked
package gilmok.deliveries.track;

import org.jspecify.annotations.NullMarked;
