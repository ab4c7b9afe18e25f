/**
 * The log: accepted records, on disk, in order.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>An append's completion is called only when all its records are fsynced. No exceptions.
 *   <li>Many appends share one fsync; a lone one waits for no timer.
 *   <li>An accepted append cannot be refused later: room, sequences and the deduplication table are
 *       settled under one lock in {@link gilmok.log.AppendQueue}.
 *   <li>Readers pull. The log knows how far each has read (cursors), and nothing else of them. Who
 *       does next to nothing with a record may listen to commits instead.
 *   <li>A failed write or fsync is final. A segment that cannot be prepared is tried again.
 * </ul>
 *
 * <h2>Files of a data folder</h2>
 *
 * <pre>
 * gilmok.lock                      held by the process that owns the folder
 * node                             format version, node id, inode and birth of this very file
 * log/00000000000000000001.log     a segment, named for its first sequence
 * log/prepared-1                   the next segment, full size, zeros, no name yet
 * log/rewritten-*.log              what is to take a segment's place, until it is complete
 * log/torn/*.torn                 what recovery cut off
 * cursors/NAME.cursor              8 bytes sequence, its reader's note, 4 bytes CRC32C
 * snapshots/repeats                the keys of the last records
 * snapshots/sequences              8 bytes, up to where sequences may have been shown, 4 bytes
 *                                  CRC32C; only with early readers, and until the log is closed
 * </pre>
 *
 * <h2>Bytes of a segment (all numbers big-endian)</h2>
 *
 * <table>
 *   <caption>Segment header, 64 bytes</caption>
 *   <tr><td>0</td><td>8</td><td>"GILMOKLG"</td></tr>
 *   <tr><td>8</td><td>4</td><td>format version, 1; 2 of a segment that was rewritten</td></tr>
 *   <tr><td>12</td><td>8</td><td>node id, 60 bits</td></tr>
 *   <tr><td>20</td><td>8</td><td>segment epoch: random, odd; tells its batches from any others</td></tr>
 *   <tr><td>28</td><td>8</td><td>when it was prepared, epoch ms</td></tr>
 *   <tr><td>36</td><td>4</td><td>CRC32C of bytes 0-35</td></tr>
 *   <tr><td>40</td><td>8</td><td>0; or, after a salvage, the first of the sequences that are lost
 *       before this segment's first</td></tr>
 *   <tr><td>48</td><td>4</td><td>0; or CRC32C of bytes 0-47</td></tr>
 *   <tr><td>52</td><td>4</td><td>0; or CRC32C of bytes 0-51: these sequences are not lost, they
 *       were skipped. An earlier version takes them as lost, and counts no record of them</td></tr>
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
 * <p>A record is its stream's code in one byte, its length in three, its bytes. In a segment that
 * was rewritten, 0x80 in the first byte marks a tombstone, which has only the record's key of 16
 * bytes; and 0x40 a record that has got other bytes, with the key of the first ones before them.
 *
 * <p>A batch without records is a footer. It is the last batch of a segment that the writer
 * finished in order, when it went on to the next segment or closed. It records that everything
 * before it was durable, and how many records there were since the log was begun. A footer may also
 * be inside a segment, where a log was closed and opened again. And one is at the head of each
 * segment that follows another, as that other may be deleted. An earlier version wrote footers
 * without counts, and only when it closed.
 *
 * <table>
 *   <caption>Payload of a footer, 42 or 50 bytes; 98 are kept free for one at a segment's end
 *       </caption>
 *   <tr><td>0</td><td>8 n</td><td>records of each stream, in the order of their codes</td></tr>
 *   <tr><td>8 n</td><td>1</td><td>n, the number of streams: 6, or 5 until the first record of the
 *       stream {@code audit}, so that an earlier version can read the log</td></tr>
 *   <tr><td>8 n + 1</td><td>1</td><td>version of this payload, 1; never 0, so that the footer is
 *       found from the end of the file</td></tr>
 * </table>
 *
 * <h2>Write</h2>
 *
 * <p>{@link gilmok.log.AppendQueue} gathers append batches into a group. {@link
 * gilmok.log.LogWriter} takes the group, writes it as one batch, forces it, publishes the durable
 * sequence, calls the completions, and takes the group that has gathered meanwhile. A group that
 * does not fit begins the segment that {@link gilmok.log.SegmentPreallocator} prepared: the old
 * segment gets its footer, which is forced; the new one is renamed and the folder forced before
 * anything is written. So a segment with a name always has a sound header, and only the newest can
 * end torn.
 *
 * <h2>Read</h2>
 *
 * <p>{@link gilmok.log.LogReader} reads batches from the files (the page cache, for a reader that
 * keeps up), checks their sums, and stops at the durable sequence.
 *
 * <h2>Read early</h2>
 *
 * <p>Where another engine's acknowledgement counts in place of this disk, its reader need not wait
 * for the force: {@link gilmok.log.EarlyReads}. The writer then shows a group when it is written,
 * and forces it meanwhile. So a power loss may take records that the engine has, and a number must
 * not be given twice. Therefore {@link gilmok.log.SequenceReserve} keeps a mark ahead of what is
 * shown, durably; the housekeeper moves it in large steps, so the writer never waits for it, and
 * shows what no mark covers only when it is forced. A log that is opened and still has the mark
 * goes on behind it, in a new segment whose header names the sequences that were skipped. Readers
 * pass over them as over lost ones, but they count as nothing. Cursors never stand beyond what is
 * durable, so recovery can still take them as proof.
 *
 * <h2>Recover</h2>
 *
 * <p>{@link gilmok.log.Recovery} reads the last segment. The first place without a sound batch is
 * its end. Bytes behind it that are not zero are a torn tail: they are copied, then zeroed. But
 * when a later batch, a cursor or the deduplication snapshot shows that they were durable, the file
 * is damaged and the log does not open. File names are forced before anything else: the process
 * that made them may have crashed before it forced them.
 *
 * <p>The rest of the segment is written once more before it is forced: if the process before ended
 * because a force failed, its bytes may be in clean pages only, which no force writes. That costs a
 * start at most one segment of writing, and less memory than two windows of a mebibyte ({@link
 * gilmok.log.SegmentWindow}), whatever the size of segments.
 *
 * <h2>Salvage</h2>
 *
 * <p>{@link gilmok.log.Salvage} copies the sound batches of a damaged log into a new one, under the
 * same sequences. Where sequences are lost, a segment ends and the header of the next names them:
 * readers skip them there and nowhere else. The footer at that segment's head counts the lost
 * records, by stream as far as a later footer of the damaged log tells. So a count up to any
 * sequence stays what it was, and a reader that had not passed them can count what it lost ({@link
 * gilmok.log.Cursor#lost}).
 *
 * <h2>Count</h2>
 *
 * <p>{@link gilmok.log.StreamCounter} adds up every batch that became durable. At the start, its
 * counts are those of the newest footer and of the records after it; without any footer, of all
 * records from the oldest segment on. {@link gilmok.log.StreamCountIndex} counts up to any sequence
 * in the same way.
 *
 * <h2>Erase</h2>
 *
 * <p>{@link gilmok.log.LogRewriter} changes what is in segments that nothing is written to any more
 * ({@link gilmok.log.AppendQueue#endSegment} ends the one that is). The new file is written beside
 * the old one, with the same sequences, times and footers and an epoch of its own; it is forced,
 * renamed over the old one, and the folder forced before anything is reported. Before the rename a
 * crash leaves the old segment, and a file that the next start deletes; after it, one of the two,
 * each whole. A reader that has the old file open notices the renaming before its next record, and
 * goes on in the new file. Tombstones count as records of their stream everywhere, so that no count
 * changes; readers pass over them, but for those that account for every sequence.
 *
 * <h2>Delete</h2>
 *
 * <p>{@link gilmok.log.Retention} deletes whole segments, the oldest first. A segment goes when
 * every cursor has passed it and it is either too old or its room is needed: under the log's size
 * limit, or on a full disk. Only for want of room may it ask the readers whose cursors are behind
 * to give up one segment at a time. {@link gilmok.log.Segments} keeps a cursor's rewind and a
 * deletion from happening at once.
 */
@NullMarked
package gilmok.log;

import org.jspecify.annotations.NullMarked;
