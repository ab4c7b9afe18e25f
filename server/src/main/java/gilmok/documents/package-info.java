/**
 * Documents: the storage of the features that are not logs. It is SQLite in the data folder, unless
 * a MongoDB is configured.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>An acknowledged write is on disk: {@code synchronous=FULL}, and callers are answered after
 *       the commit.
 *   <li>Group commit: many writes share one commit. One thread writes: it takes all waiting writes
 *       (up to {@link gilmok.documents.SqliteWriter#GROUP_MAX}), runs each in a savepoint of its
 *       own, commits once and then wakes all callers. A write that fails is rolled back alone; a
 *       commit that fails, fails all of them. While several come within {@code
 *       documents.commit-interval}, commits begin that far apart, and the writer sleeps meanwhile:
 *       so a write wakes nobody, and more share an fsync, a page and a wake-up.
 *   <li>Each wait is bounded by {@code documents.timeout}: for a turn, for the commit, for a read
 *       connection. A full queue and a timeout are {@link gilmok.documents.DocumentsBusy}:
 *       constants, so that a refusal costs nothing.
 *   <li>Reads run in parallel with writes, on connections of their own that see the last commit.
 *   <li>An error ends when its cause is gone. After a full disk, an unreadable page, a lock of
 *       another program or anything else, the next read or write gets a new connection; see {@link
 *       gilmok.documents.SqliteWriter}. No restart is needed.
 *   <li>At the first opening, SQLite's driver extracts its native library into {@code
 *       java.io.tmpdir}, as Netty and zstd do with theirs, and deletes it when the process ends;
 *       {@code -Dorg.sqlite.tmpdir} sets another folder.
 * </ul>
 */
@NullMarked
package gilmok.documents;

import org.jspecify.annotations.NullMarked;
