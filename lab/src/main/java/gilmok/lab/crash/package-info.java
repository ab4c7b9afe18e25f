/**
 * Kills a server under load, many times, and checks that its log has every acknowledged record
 * once.
 */
@NullMarked
package gilmok.lab.crash;

import org.jspecify.annotations.NullMarked;
