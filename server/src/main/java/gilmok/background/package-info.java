/**
 * Supervised work that goes on behind the requests.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>No background work ends unseen, and all of it recovers by itself: whatever a pass throws,
 *       even an error, is caught, counted and logged, and the pass is retried.
 *   <li>After each failure there is a pause, which doubles up to {@link
 *       gilmok.background.BackgroundLoop#PAUSE_MAX}. It is short, because the work must succeed
 *       again within ten seconds of the fault's end.
 *   <li>A loop that has nothing to do sleeps until it is woken: a pass returns when the next one is
 *       due, and what makes one due before wakes the loop ({@link gilmok.background.WakeSignal}).
 *       It looks each half minute all the same, at a clock that was set, for instance.
 * </ul>
 *
 * <h2>Who handles which failure</h2>
 *
 * <table>
 *   <caption>What a pass throws, and what happens then</caption>
 *   <tr><td>{@link java.io.IOException}</td><td>An outage: a disk, a database, a network. Nothing
 *       is skipped; the same is retried until it works.</td></tr>
 *   <tr><td>{@link java.lang.RuntimeException}, {@link java.lang.Error}</td><td>A bug, or an item
 *       that cannot be processed. The loop does not know which, so it retries as well. Work on
 *       items has to find the one that fails while others succeed, and report it to {@link
 *       gilmok.background.BackgroundLoop#skipped}: it is counted, named and alarmed; the others go
 *       on.</td></tr>
 * </table>
 *
 * <p>{@link gilmok.background.BackgroundLoops} holds all loops, for the metrics {@code
 * gilmok_loop_*} and for readiness, which names a loop that fails for longer than a moment, or
 * whose pass hangs.
 */
@NullMarked
package gilmok.background;

import org.jspecify.annotations.NullMarked;
