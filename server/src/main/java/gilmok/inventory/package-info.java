/**
 * Checks that a data folder still has the files that cannot be made again. It tells a file that was
 * lost from one that never existed, before anything is opened.
 */
@NullMarked
package gilmok.inventory;

import org.jspecify.annotations.NullMarked;
