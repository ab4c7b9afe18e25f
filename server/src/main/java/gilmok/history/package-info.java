/**
 * Questions about the past: where riders were, and what their apps reported, from the log while it
 * is fresh and from the files of a sink after that.
 *
 * <p><b>One answer across both.</b> A question first reads up to which sequence the log is in
 * files, then which files there are, and then takes from the log what is behind that sequence. What
 * is shipped in between is found in both places, and nothing in neither. A record's place is when
 * it happened and its dedup key, so what is found twice is one. Whether a record is in an answer
 * depends on when it happened and on when it came ({@code TimeSpan}), never on where it is found.
 *
 * <p><b>Memory has a bound.</b> An answer is reckoned by passes ({@code RiderPoints}): each finds
 * the first so many positions behind the last one, and reads only files and parts of files that can
 * have them. Late and repeated positions, and files of any order, need nothing of their own.
 *
 * <p><b>Phones do not feel it.</b> Few questions are open, few threads of low priority work at them
 * in turn, piece by piece, and only while their readers read ({@code Questions}).
 */
@NullMarked
package gilmok.history;

import org.jspecify.annotations.NullMarked;
