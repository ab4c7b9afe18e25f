package gilmok.http;

import gilmok.observe.FieldLog.Field;
import gilmok.observe.SlowRequest;
import gilmok.trace.RequestTrace;
import gilmok.trace.TraceSpan;
import gilmok.trace.Tracer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the spans of requests, as OpenTelemetry's conventions for HTTP servers name things. They
 * have the route and no path, address or query: those are about persons. Stateless; on the
 * request's event loop.
 */
final class RequestSpans {
  private static final int FAULT_FROM = 500;
  private static final String UNKNOWN = "unknown";

  /** The conventions' word for a method that nobody here answers. */
  private static final String OTHER = "_OTHER";

  private RequestSpans() {}

  /**
   * Makes the span of a request that was answered, if it has one.
   *
   * @param nanos from the end of its head to its answer
   * @param bytes of its answer; 0 for a streamed one
   */
  static void answered(Tracer tracer, HttpRequest request, int status, long nanos, int bytes) {
    RequestTrace trace = request.trace();
    boolean isFault = status >= FAULT_FROM;
    if (trace.isDrawn() || tracer.isWorthIt(isFault, nanos)) {
      Route route = request.route;
      String method = request.head.method().name();
      List<Field> attributes = new ArrayList<>(8);
      attributes.add(new Field("http.request.method", route == null ? OTHER : method));
      attributes.add(new Field("http.route", route == null ? UNKNOWN : route.path()));
      attributes.add(new Field("http.response.status_code", status));
      attributes.add(new Field("http.request.body.size", request.received()));
      attributes.add(new Field("http.response.body.size", bytes));
      attributes.add(new Field("url.scheme", request.isSecure() ? "https" : "http"));
      attributes.add(new Field("gilmok.key", request.callerKey()));
      if (isFault) {
        attributes.add(new Field("error.type", Integer.toString(status)));
      }
      List<SlowRequest.Part> parts = new ArrayList<>(request.times.parts());
      parts.add(new SlowRequest.Part("unexplained", request.times.unexplained(nanos)));
      tracer.ended(
          new TraceSpan(
              trace.span(),
              trace.parentId(),
              TraceSpan.Kind.SERVER,
              route == null ? UNKNOWN : method + " " + route.path(),
              Instant.now(),
              nanos,
              isFault,
              attributes,
              parts));
    }
  }
}
