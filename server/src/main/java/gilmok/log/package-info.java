/**
 * The log: what was accepted, on disk, in order.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>A ticket is called only when everything of its draft has been fsynced. No exceptions.
 *   <li>Many appends share one fsync; a lone one waits for no timer.
 *   <li>What was let in cannot be turned away later: room, sequences and the table of repeats are
 *       settled under one lock in {@link gilmok.log.AppendQueue}.
 *   <li>Readers pull. The log knows how far each has come (cursors), and nothing else of them.
 *   <li>A write or fsync that fails is final. A segment that cannot be prepared is not.
 * </ul>
 *
 * <h2>Files of a data folder</h2>
 *
 * <pre>
 * gilmok.lock                      held by the process that owns the folder
 * node                             format version, node id, inode and birth of this very file
 * log/00000000000000000001.log     a segment, named for its first sequence
 * log/prepared-1                   the next segment, full size, zeros, no name yet
 * log/torn/*.torn                 what recovery cut off
 * cursors/NAME.cursor              8 bytes sequence, its reader's note, 4 bytes CRC32C
 * snapshots/repeats                the keys of the last records
 * </pre>
 *
 * <h2>Bytes of a segment (all numbers big-endian)</h2>
 *
 * <table>
 *   <caption>Segment header, 64 bytes</caption>
 *   <tr><td>0</td><td>8</td><td>"GILMOKLG"</td></tr>
 *   <tr><td>8</td><td>4</td><td>format version, 1</td></tr>
 *   <tr><td>12</td><td>8</td><td>node id, 60 bits</td></tr>
 *   <tr><td>20</td><td>8</td><td>segment epoch: random, odd; tells its batches from any others</td></tr>
 *   <tr><td>28</td><td>8</td><td>when it was prepared, epoch ms</td></tr>
 *   <tr><td>36</td><td>4</td><td>CRC32C of bytes 0-35</td></tr>
 *   <tr><td>40</td><td>8</td><td>0; or, after a salvage, the first of the sequences that are lost
 *       before this segment's first</td></tr>
 *   <tr><td>48</td><td>4</td><td>0; or CRC32C of bytes 0-47</td></tr>
 * </table>
 *
 * <table>
 *   <caption>Batch header, 48 bytes; batches follow each other without gaps, then zeros</caption>
 *   <tr><td>0</td><td>4</td><td>length, header included</td></tr>
 *   <tr><td>4</td><td>4</td><td>CRC32C of all from byte 8 on</td></tr>
 *   <tr><td>8</td><td>8</td><td>segment epoch</td></tr>
 *   <tr><td>16</td><td>8</td><td>first sequence</td></tr>
 *   <tr><td>24</td><td>8</td><td>time of writing, epoch ms: when its records were received</td></tr>
 *   <tr><td>32</td><td>8</td><td>durableThrough: what was known durable when it was written</td></tr>
 *   <tr><td>40</td><td>4</td><td>number of records; 0 in a footer</td></tr>
 *   <tr><td>44</td><td>4</td><td>flags; 0. Kept for compression, which is
 *       not needed yet: see lab/capacity/collecting.md</td></tr>
 * </table>
 *
 * <p>A record is its stream's code in one byte, its length in three, its bytes.
 *
 * <p>A batch without records is a footer: the last of a segment that the writer left in order, when
 * it went on to the next or closed. It says that all before it was durable, and how many records
 * there were since the log was begun. There may be one within a segment, where a log was closed and
 * opened again, and one stands at the head of a segment that another was rolled to, as that other
 * may be deleted. An earlier program wrote it empty, and only when it closed.
 *
 * <table>
 *   <caption>Payload of a footer, 42 bytes; 90 are kept free for one at a segment's end</caption>
 *   <tr><td>0</td><td>8 n</td><td>records of each stream, in the order of their codes</td></tr>
 *   <tr><td>8 n</td><td>1</td><td>n, the number of streams, 5</td></tr>
 *   <tr><td>8 n + 1</td><td>1</td><td>version of this payload, 1; never 0, so that the footer is
 *       found from the end of the file</td></tr>
 * </table>
 *
 * <h2>Write</h2>
 *
 * {@link gilmok.log.AppendQueue} gathers drafts into a group. {@link gilmok.log.LogWriter} takes
 * the group, writes it as one batch, forces it, publishes the durable sequence, calls the tickets,
 * and takes what has gathered meanwhile. A group that does not fit goes first into the segment that
 * {@link gilmok.log.SegmentPreallocator} made ready: the old one gets its footer, which is forced;
 * the new one is renamed to its name and the folder forced before anything is written. So a segment
 * with a name always has a sound header, and only the newest can end torn.
 *
 * <h2>Read</h2>
 *
 * {@link gilmok.log.LogReader} reads batches from the files (the page cache, for a reader that
 * keeps up), checks their sums, and stops at the durable sequence.
 *
 * <h2>Recover</h2>
 *
 * {@link gilmok.log.Recovery} reads the last segment. The first place without a sound batch is its
 * end. What lies behind it and is not zero is a torn tail: copied, then zeroed, unless a later
 * batch, a cursor or the snapshot of repeats says that it was durable: then the file is damaged and
 * the log does not open. Names are forced before anything else: the process that made them may have
 * died before it did.
 *
 * <p>What is kept of it is written once more before it is forced: if the process before ended
 * because a force failed, its bytes may be in clean pages only, which no force writes. That costs a
 * start no more than one segment, and less memory than two windows of a mebibyte ({@link
 * gilmok.log.SegmentWindow}), whatever the size of segments.
 *
 * <h2>Salvage</h2>
 *
 * {@link gilmok.log.Salvage} brings what is sound out of a damaged log into a new one, batch by
 * batch under the same sequences. Where some are lost a segment ends, and the header of the next
 * says which: readers pass over them there and nowhere else. The footer at its head counts them, by
 * stream as far as a later footer of the damaged log tells, so that a count up to any sequence
 * stays what it was, and a reader that had not passed them can count what it lost ({@link
 * gilmok.log.Cursor#lost}).
 *
 * <h2>Count</h2>
 *
 * {@link gilmok.log.StreamCounter} is counted up with every batch that became durable. At the start
 * it is the newest footer there is and what is read behind it; without any footer, all that is read
 * from the oldest segment on. {@link gilmok.log.StreamCountIndex} answers for any sequence in the
 * same way.
 *
 * <h2>Delete</h2>
 *
 * {@link gilmok.log.Retention} deletes whole segments, the oldest first, when every cursor has
 * passed them and they are too old or their room is needed: under the log's bound, or on a disk
 * that is full. Then it may ask the owners of cursors that are behind to let go, one segment at a
 * time. A cursor that goes back and a deletion exclude each other in {@link gilmok.log.Segments}.
 */
@NullMarked
package gilmok.log;

import org.jspecify.annotations.NullMarked;
