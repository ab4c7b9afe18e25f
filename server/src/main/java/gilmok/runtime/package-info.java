/**
 * What any server process needs, whatever it serves: signals, a clock without leaps, closing in
 * order, the graceful shutdown, and connections that are tried before the server is ready.
 */
@NullMarked
package gilmok.runtime;

import org.jspecify.annotations.NullMarked;
