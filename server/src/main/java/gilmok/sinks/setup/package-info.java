/**
 * Makes the sinks that a server's settings name, tunes them while they run, and flushes them at the
 * end.
 */
@NullMarked
package gilmok.sinks.setup;

import org.jspecify.annotations.NullMarked;
