/**
 * The customer's page: the steps done and, while the delivery is on its way, the rider's position,
 * the shop, the door and the expected arrival. Anybody who has the link can see it, so it shows
 * nothing else: no names, no addresses, no ids, places to some ten metres and only on the way; and
 * after the arrival only when it was.
 */
@NullMarked
package gilmok.deliveries.track;

import org.jspecify.annotations.NullMarked;
