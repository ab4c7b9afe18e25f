/**
 * A copy of a data folder while its server runs, for {@code gilmok backup}.
 *
 * <p>The copy is of one point: the log through a sequence, the documents, and small files. In this
 * order they are taken, so that nothing names a record that the copy lacks:
 *
 * <ol>
 *   <li>cursors, then receipts, secrets and every other small file: what a reader has done since is
 *       done again after a restore, and is recognised;
 *   <li>the documents as one commit has left them, not older than the cursors;
 *   <li>the log, through the last sequence that is durable once that commit is settled: all that
 *       the documents refer to is in it.
 * </ol>
 *
 * <p>Ended segments never change, so they are copied before the point is taken, and by later
 * backups not again.
 */
@NullMarked
package gilmok.backup;

import org.jspecify.annotations.NullMarked;
