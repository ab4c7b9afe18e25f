/**
 * Has an earlier version write a data folder, this one open it and go on, and the earlier one open
 * it again; and makes the folders of earlier versions that the tests keep.
 */
@NullMarked
package gilmok.lab.rollback;

import org.jspecify.annotations.NullMarked;
