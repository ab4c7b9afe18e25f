/**
 * Work that goes on behind the requests, under supervision.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>No background work ends without being seen, and each comes back by itself: whatever a pass
 *       throws, an error too, is caught, counted and said, and the pass is tried again.
 *   <li>Between two failures is a pause that doubles, up to {@link
 *       gilmok.background.BackgroundLoop#PAUSE_MAX}: short, because what failed must work again
 *       within ten seconds of the fault's end.
 *   <li>Neither a spin nor a sleep for ever: a pass says when the next one is due, and the loop
 *       looks again at least each second.
 * </ul>
 *
 * <h2>Which failure is whose</h2>
 *
 * <table>
 *   <caption>What a pass throws, and what becomes of it</caption>
 *   <tr><td>{@link java.io.IOException}</td><td>An outage: a disk, a database, a network. Nothing
 *       is passed over; the same is tried again until it works.</td></tr>
 *   <tr><td>{@link java.lang.RuntimeException}, {@link java.lang.Error}</td><td>A bug, or an item
 *       that nobody can process. The loop does not know which, so it tries again as well. Who works
 *       on items finds the one that fails while others pass, and hands it to {@link
 *       gilmok.background.BackgroundLoop#skipped}: counted, named, alarmed; the others go
 *       on.</td></tr>
 * </table>
 *
 * <p>{@link gilmok.background.BackgroundLoops} has them all, for the metrics {@code gilmok_loop_*}
 * and for the readiness, which names a loop that fails for longer than a moment, or whose pass
 * hangs.
 */
@NullMarked
package gilmok.background;

import org.jspecify.annotations.NullMarked;
