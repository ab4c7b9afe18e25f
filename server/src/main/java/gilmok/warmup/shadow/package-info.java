/**
 * The warm-up of a server: a second one of its kind in the same process, its shadow, is asked until
 * it is fast, and leaves nothing behind.
 */
@NullMarked
package gilmok.warmup.shadow;

import org.jspecify.annotations.NullMarked;
