/**
 * The laboratory: load generators, baselines and fault injection, and the parts that they share.
 */
@NullMarked
package gilmok.lab;

import org.jspecify.annotations.NullMarked;
