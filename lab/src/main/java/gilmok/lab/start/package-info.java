/**
 * Measures a server that has just started: the time to live and to ready, the first request of
 * every route and branch, the first second of full load, the p99 at half load. It compares no
 * warm-up, method calls, warm-up over HTTP and the AOT cache, each alone; and measures with a
 * fraction of a processor.
 */
@NullMarked
package gilmok.lab.start;

import org.jspecify.annotations.NullMarked;
