/**
 * The data folder of a node, whatever is in it: the folder and its owner, small files that are
 * replaced as a whole, and the disk behind an interface, so that tests can make it fail, fill up
 * and lose power.
 */
@NullMarked
package gilmok.storage;

import org.jspecify.annotations.NullMarked;
