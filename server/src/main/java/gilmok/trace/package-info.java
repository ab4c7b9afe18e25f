/**
 * Traces: which request belongs to which, across servers. {@link gilmok.trace.TraceContext} is read
 * from and written to the header {@code traceparent} (W3C, Trace Context, level 1); {@link
 * gilmok.trace.Tracer} decides which requests become spans, and keeps those for {@code trace.otlp}.
 */
@NullMarked
package gilmok.trace;

import org.jspecify.annotations.NullMarked;
