package gilmok.documents;

import gilmok.trace.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * The comment of a MongoDB command that is part of a trace: {@code traceparent='00-…'}, in
 * sqlcommenter's form, by which the profiler and the server's log of slow commands lead to the
 * request. Stateless.
 */
public final class MongoTrace {
  private MongoTrace() {}

  /** The comment for the present thread's work; null where it is not traced. */
  public static @Nullable String comment() {
    TraceContext current = TraceContext.current();
    return current == null ? null : comment(current.header());
  }

  /** The comment for work that is part of that trace; null for none. */
  public static @Nullable String comment(@Nullable String traceparent) {
    return traceparent == null ? null : "traceparent='" + traceparent + "'";
  }
}
