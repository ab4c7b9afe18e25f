/**
 * Measures a server that has just started: the time to live and to ready, the first request of
 * every route and branch, the first second of full load, the p99 at half load. It compares no
 * warm-up, method calls, warm-up over HTTP, both of these, the AOT cache, and ours together; and
 * measures with a fraction of a processor: as a limit, and as a request beside a busy neighbour.
 */
@NullMarked
package gilmok.lab.start;

import org.jspecify.annotations.NullMarked;
