package gilmok.http;

import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import gilmok.trace.Tracer;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the HTTP edge does. Called on event loops, by several at once: it must not block and
 * not allocate.
 */
interface RequestMeter {
  /** Counts nothing. */
  RequestMeter NONE = new RequestMeter() {};

  /** Logs no request. */
  AccessLog NO_LOG = new AccessLog();

  /** The meter of one event loop, which asks for it once. */
  default LoopMeter loop(String name, IntSupplier pendingTasks, DoubleSupplier refusedShare) {
    return LoopMeter.NONE;
  }

  /**
   * The meter of a caller; a connection asks for it again when the caller changes.
   *
   * @param principal null when no valid key was shown
   * @param userAgent the header as it was sent; null when there was none
   */
  default CallerMeter caller(@Nullable Principal principal, @Nullable String userAgent) {
    return CallerMeter.NONE;
  }

  /**
   * A request for a known route was answered; refusals count, too.
   *
   * @param nanos from the end of its head to the reply
   * @param bytes of the reply's body; 0 for one that is streamed
   * @param times where the time went
   */
  default void answered(
      Route route, int status, CallerMeter caller, long nanos, long bytes, RequestTimes times) {}

  /** The log of requests, which has a line for some of them. */
  default AccessLog accessLog() {
    return NO_LOG;
  }

  /** Decides which requests are traced. */
  default Tracer tracer() {
    return Tracer.NONE;
  }

  /** Bytes of a request's body have arrived. */
  default void received(int bytes) {}

  /** Bytes of a reply's body were handed to the connection. */
  default void sent(int bytes) {}

  /** A read was answered 200; {@code uri} with its query. */
  default void read(Route route, CallerMeter caller, String uri) {}

  /** A request was refused, whether its route is known or not. */
  default void refused(Refusal refusal) {}

  /**
   * A reply's body was compressed, or compressing did not make it smaller: both lengths are then
   * the same. Also called on threads that are no event loops.
   *
   * @param nanos how long that took
   */
  default void packed(ContentCoding coding, int bytesBefore, int bytesAfter, long nanos) {}

  /**
   * A certificate is in force. Called once, not on an event loop.
   *
   * @param end when the one in force ends, in seconds since 1970; read from any thread
   */
  default void certificate(DoubleSupplier end) {}
}
