/**
 * Answers that are joined from compressed pieces: what many are answered is compressed once and
 * small, what one is answered quickly, and joining compresses nothing. Knows no HTTP.
 */
@NullMarked
package gilmok.compress;

import org.jspecify.annotations.NullMarked;
