package gilmok.http;

import gilmok.compress.ContentCoding;

/**
 * Counts what the HTTP edge does. Called on event loops, by several at once: it must not block and
 * not allocate.
 */
public interface RequestMeter {
  /** Counts nothing. */
  RequestMeter NONE = new RequestMeter() {};

  /**
   * A request for a known route was answered; refusals count, too.
   *
   * @param nanos from the end of its head to the reply
   */
  default void answered(Route route, int status, long nanos) {}

  /** A request was refused, whether its route is known or not. */
  default void refused(Refusal refusal) {}

  /**
   * A reply's body was compressed, or compressing did not make it smaller: both lengths are then
   * the same. Also called on threads that are no event loops.
   *
   * @param nanos how long that took
   */
  default void packed(ContentCoding coding, int bytesBefore, int bytesAfter, long nanos) {}

  /** How late a scheduled task ran on an event loop; measured on each loop ten times a second. */
  default void lag(long nanos) {}
}
