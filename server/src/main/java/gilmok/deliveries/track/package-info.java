/**
 * The customer's page: the rider's position while the delivery is on its way, and the expected
 * arrival. Anybody who has the link can see it, so it shows nothing else: no names, no addresses,
 * no ids, and after the arrival only that there was one.
 */
@NullMarked
package gilmok.deliveries.track;

import org.jspecify.annotations.NullMarked;
