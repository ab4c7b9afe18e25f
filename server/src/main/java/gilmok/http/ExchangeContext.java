package gilmok.http;

import gilmok.auth.KeyNames;
import gilmok.trace.Tracer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The state that all requests to one set of routes share. Used by all event loops; thread-safe. */
final class ExchangeContext {
  private static final Logger LOG = System.getLogger(ExchangeContext.class.getName());

  final AdmissionLimit admissionLimit;
  final ConnectionTimeouts timeouts;
  final RequestMeter meter;
  final Cors cors;
  final CompressionPolicy compression;
  final Callers callers;
  final KeyNames keyNames;
  final @Nullable Route elsewhere;
  private final Set<String> bugs = ConcurrentHashMap.newKeySet();
  private volatile boolean leaving;

  ExchangeContext(
      AdmissionLimit admissionLimit,
      ConnectionTimeouts timeouts,
      Cors cors,
      CompressionPolicy compression,
      RequestMeter meter,
      Callers callers,
      KeyNames keyNames,
      @Nullable Route elsewhere) {
    this.admissionLimit = admissionLimit;
    this.timeouts = timeouts;
    this.cors = cors;
    this.compression = compression;
    this.meter = meter;
    this.callers = callers;
    this.keyNames = keyNames;
    this.elsewhere = elsewhere;
  }

  /** From now on each answer ends its connection; no request is refused for it. */
  void leave() {
    leaving = true;
  }

  boolean isLeaving() {
    return leaving;
  }

  /**
   * Counts a request's answer, or the beginning of a streamed one, and logs it where it has a line,
   * and traces it where it is traced.
   *
   * @param nanos from the end of its head
   * @param bytes of the answer's body
   */
  void answered(HttpRequest request, int status, long nanos, int bytes) {
    request.answered(status, nanos, bytes);
    AccessLog log = meter.accessLog();
    if (log.has(status)) {
      log.log(AccessFields.of(request, status, nanos, bytes));
    }
    Tracer tracer = meter.tracer();
    if (tracer.isOn()) {
      RequestSpans.answered(tracer, request, status, nanos, bytes);
    }
  }

  /**
   * Logs an exception of our own code. Each kind is logged once, as a client could repeat it
   * without end.
   */
  void bug(@Nullable Route route, Throwable bug) {
    String where = route == null ? "no route" : route.method() + " " + route.path();
    if (bugs.size() < 100 && bugs.add(where + ' ' + bug.getClass().getName())) {
      LOG.log(Level.ERROR, "a bug in " + where, bug);
    }
  }
}
