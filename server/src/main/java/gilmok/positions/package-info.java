/**
 * The latest position of every rider, kept in memory from the log: by rider, by place, and as
 * streams of changes to readers.
 */
@NullMarked
package gilmok.positions;

import org.jspecify.annotations.NullMarked;
