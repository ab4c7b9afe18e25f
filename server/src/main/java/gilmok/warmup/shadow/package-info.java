/**
 * The warm-up of a server: a shadow, a second server of its kind in the same process, is sent
 * requests until it is fast, and leaves nothing behind.
 */
@NullMarked
package gilmok.warmup.shadow;

import org.jspecify.annotations.NullMarked;
