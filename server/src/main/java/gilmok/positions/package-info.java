/**
 * The latest position of every rider, kept in memory from the log, and from the other nodes' where
 * this node follows them: by rider, by place, and as streams of changes to readers.
 *
 * <h2>Reading beside the writer</h2>
 *
 * <p>A rider's event, its place and its arrival are guarded by a sequence lock: H.-J. Boehm, Can
 * Seqlocks Get Along with Programming Language Memory Models?, MSPC 2012. Its version is the number
 * of the change ({@code ChangeNumbers}), which no two positions share and which only rises while a
 * number is one rider's. The writer
 *
 * <ol>
 *   <li>sets the sequence to WRITING, then a store fence,
 *   <li>overwrites the event, or sets the place of a new block,
 *   <li>sets the new sequence, with release;
 * </ol>
 *
 * <p>a reader
 *
 * <ol>
 *   <li>reads the sequence, with acquire,
 *   <li>copies the event, then a load fence,
 *   <li>reads the sequence again: if it is another, or was WRITING, it repeats all.
 * </ol>
 *
 * <p>A reader that has copied a byte of the writer's second step finds, after its fence, the
 * WRITING of the first step or a later sequence.
 *
 * <p>Two writes leave the sequence as it is: an event moves to another page, and a page is dropped
 * when all are moved. The place is set with release after the block is written, so whoever reads it
 * finds the event there; in the old block the event stays until the page's number is used again.
 * Before that, {@code EventPages.reuses} was raised: a reader reads it before the place, and
 * repeats all if it is another after the copy.
 *
 * <p>A number may be another rider's by the time it is used. Who looks for a rider by its id
 * compares the id in the copy. Who keeps numbers reads {@code forgets} first, then the numbers,
 * then what belongs to them, then {@code forgets} again: it is raised after numbers are given back
 * and before one is given again.
 */
@NullMarked
package gilmok.positions;

import org.jspecify.annotations.NullMarked;
