/**
 * What any server process needs, whatever it serves: signals, a clock without leaps, what is closed
 * in which order, the graceful shutdown, and connections that are tried before it is ready.
 */
@NullMarked
package gilmok.runtime;

import org.jspecify.annotations.NullMarked;
