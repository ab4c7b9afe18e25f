package gilmok.http;

import gilmok.compress.ContentCoding;

/**
 * Hears what the HTTP edge does, to count it. Called on event loops, by several at once: it must
 * not block and not allocate.
 */
public interface RequestMeter {
  /** Counts nothing. */
  RequestMeter NONE = new RequestMeter() {};

  /**
   * A request of a known route was answered, refusals included.
   *
   * @param nanos from the end of its head to the reply
   */
  default void answered(Route route, int status, long nanos) {}

  /** A request was refused, of a known route or not. */
  default void refused(Refusal refusal) {}

  /**
   * A reply's body was compressed, or that was tried in vain: then it is as long as before. Also
   * called on other threads than event loops.
   *
   * @param nanos how long that took
   */
  default void packed(ContentCoding coding, int bytesBefore, int bytesAfter, long nanos) {}

  /**
   * How much later than asked for a task ran on an event loop; measured on each ten times a second.
   */
  default void lag(long nanos) {}
}
