/**
 * What a node keeps on its disk, whatever is in it: the folder and whose it is, small files that
 * are replaced whole or not at all, and the disk itself behind an interface, so that tests can have
 * it fail, fill up and lose power.
 */
@NullMarked
package gilmok.storage;

import org.jspecify.annotations.NullMarked;
