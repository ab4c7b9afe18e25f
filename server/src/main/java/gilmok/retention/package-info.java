/**
 * Old documents: archived as files, then removed from the store in small steps. One mechanism for
 * all kinds.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>Nothing is removed before it is durable in the archive, with its file's line in the
 *       manifest.
 *   <li>Whoever is killed anywhere goes on with the same documents and the same file: the plan is
 *       stored before the file is begun.
 *   <li>A document that has changed since it was archived stays, and is archived again later.
 *   <li>Requests come first: a step is some milliseconds of the store, a rest follows, and under
 *       load there is none.
 * </ul>
 *
 * <p>A kind gives a {@link gilmok.retention.DocumentRemoval}; {@link
 * gilmok.retention.DocumentHousekeeper} does the rest.
 */
@NullMarked
package gilmok.retention;

import org.jspecify.annotations.NullMarked;
