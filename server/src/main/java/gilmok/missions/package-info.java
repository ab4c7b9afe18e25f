/** Missions: promotions that riders can fulfil, and how far they have come: the hot read. */
@NullMarked
package gilmok.missions;

import org.jspecify.annotations.NullMarked;
