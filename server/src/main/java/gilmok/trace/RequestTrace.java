package gilmok.trace;

import org.jspecify.annotations.Nullable;

/**
 * How one request is traced. Immutable.
 *
 * @param parent what its caller sent; null for nothing
 * @param context what it passes on: to records, webhooks and the database; null for nothing
 * @param isDrawn whether it becomes a span, however it ends
 */
public record RequestTrace(
    @Nullable TraceContext parent, @Nullable TraceContext context, boolean isDrawn) {
  /** Of a request that is not traced. */
  public static final RequestTrace NONE = new RequestTrace(null, null, false);

  /** The context of its span, now that it becomes one. */
  public TraceContext span() {
    TraceContext drawn = context;
    if (isDrawn && drawn != null) {
      return drawn;
    }
    return parent == null ? TraceContext.begin() : parent.child();
  }

  /** The span that caused it; 0 for none. */
  public long parentId() {
    return parent == null ? 0 : parent.spanId();
  }
}
