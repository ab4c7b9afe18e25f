/**
 * Documents: where the features that are no log keep what they know. SQLite in the data folder,
 * unless a database of its own is set.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>What a write answers is on disk: {@code synchronous=FULL}, and whoever wrote is answered
 *       after the commit.
 *   <li>Many writes share one commit. One thread writes: it takes all that wait (up to {@link
 *       gilmok.documents.SqliteWriter#GROUP_MAX}), runs each in a savepoint of its own, commits
 *       once and then tells all of them. A write that fails is taken back alone; a commit that
 *       fails, fails all of them.
 *   <li>Each wait has a bound, {@code documents.timeout}: for the turn, for the commit, for a
 *       connection to read with. A full queue and a wait that is over are {@link
 *       gilmok.documents.DocumentsBusy}: made once, so that refusing costs nothing.
 *   <li>Reading goes on beside writing, on connections of its own that see the last commit.
 *   <li>An error ends with its cause. After a full disk, an unreadable page, a lock that another
 *       program held, or anything else, the next read or write has a connection of its own; see
 *       {@link gilmok.documents.SqliteWriter}. Nothing has to be restarted.
 *   <li>SQLite's native part is unpacked by its driver into {@code java.io.tmpdir} at the first
 *       opening, as Netty's and zstd's are, and deleted at the end of the process; {@code
 *       -Dorg.sqlite.tmpdir} names another folder.
 * </ul>
 */
@NullMarked
package gilmok.documents;

import org.jspecify.annotations.NullMarked;
