/**
 * The warm-up: scripts of realistic requests that are sent to a server over HTTP until it is fast,
 * and the report of it.
 */
@NullMarked
package gilmok.warmup;

import org.jspecify.annotations.NullMarked;
