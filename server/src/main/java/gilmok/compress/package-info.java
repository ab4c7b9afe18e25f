/**
 * Answers composed of precompressed fragments. What many answers share is compressed once, hard;
 * what belongs to one answer is compressed quickly; joining compresses nothing. Knows nothing of
 * HTTP.
 */
@NullMarked
package gilmok.compress;

import org.jspecify.annotations.NullMarked;
