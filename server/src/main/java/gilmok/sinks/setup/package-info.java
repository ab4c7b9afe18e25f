/** The sinks that a server's settings name: made, tuned while they run, and flushed at the end. */
@NullMarked
package gilmok.sinks.setup;

import org.jspecify.annotations.NullMarked;
