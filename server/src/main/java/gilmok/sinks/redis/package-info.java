/**
 * The sink for Redis: each rider's latest position with a spatial index, and the positions as a
 * stream for other servers' live pages.
 *
 * <p>The data in Redis is a copy that may be lost: the log has the records. Latest positions only
 * move forward by fix time, with any number of writers and repeats, because each is compared and
 * set within one script. The stream has every position at least once; readers recognise repeats by
 * {@code dedupKey}. The keys and their contents are described in docs/sinks.md.
 */
@NullMarked
package gilmok.sinks.redis;

import org.jspecify.annotations.NullMarked;
