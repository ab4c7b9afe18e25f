/**
 * Missions: promotions that riders can fulfil, and the riders' progress. A rider's missions are
 * read more often than anything else, so that answer is cached and its parts are compressed in
 * advance.
 */
@NullMarked
package gilmok.missions;

import org.jspecify.annotations.NullMarked;
