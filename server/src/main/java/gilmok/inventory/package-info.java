/**
 * What a data folder must have, as nothing else could make it again. A file that was lost is told
 * from one that never was, before anything is opened.
 */
@NullMarked
package gilmok.inventory;

import org.jspecify.annotations.NullMarked;
