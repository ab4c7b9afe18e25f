/**
 * What a server is like when it has just started, measured: the time to live and to ready, the
 * first request of every route and branch, the first second of full load, the p99 at half load;
 * beside nothing, method calls, warm-up over HTTP and the AOT cache each by itself; and in a
 * fraction of a processor.
 */
@NullMarked
package gilmok.lab.start;

import org.jspecify.annotations.NullMarked;
