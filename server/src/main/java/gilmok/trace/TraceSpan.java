package gilmok.trace;

import gilmok.observe.FieldLog.Field;
import gilmok.observe.SlowRequest;
import java.time.Instant;
import java.util.List;

/**
 * What was done for a trace, once it is over: a request that was answered, or one that was made.
 *
 * @param context of which it is the span
 * @param parentId the span that caused it; 0 for none
 * @param kind whether it was answered or made
 * @param name such as {@code GET /v1/riders/{id}/position}; of few different ones
 * @param ended when it ended
 * @param nanos how long it took
 * @param isFault whether it failed by a fault of who answered
 * @param attributes by the names of OpenTelemetry's conventions, where they have one
 * @param parts where its time went, in order
 */
public record TraceSpan(
    TraceContext context,
    long parentId,
    Kind kind,
    String name,
    Instant ended,
    long nanos,
    boolean isFault,
    List<Field> attributes,
    List<SlowRequest.Part> parts) {
  /** Who asked whom. */
  public enum Kind {
    /** A request to this server. */
    SERVER,
    /** A request of this server to another. */
    CLIENT
  }
}
