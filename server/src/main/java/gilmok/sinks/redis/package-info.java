/**
 * The sink for Redis: everybody's latest position with an index by place, and the positions as a
 * stream for other servers' live pages.
 *
 * <p>What is in Redis is a copy that can be lost: the log has the records. Latest positions only
 * move forward by fix time, whoever writes and however often, because each is compared and set
 * within one script. The stream has every position at least once; readers know repeats by {@code
 * dedupKey}. The keys and their contents are described in docs/sinks.md.
 */
@NullMarked
package gilmok.sinks.redis;

import org.jspecify.annotations.NullMarked;
