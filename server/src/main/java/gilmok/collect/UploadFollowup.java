package gilmok.collect;

import gilmok.http.Answer;
import gilmok.http.Exchange;

/** Answers an upload with more than that it is stored. Thread-safe. */
@FunctionalInterface
public interface UploadFollowup {
  /** Where there is nothing more to say. */
  UploadFollowup NONE = (exchange, _, usual) -> usual.send(exchange);

  /**
   * Answers an upload that is durable. From its event loop.
   *
   * @param riderId whose records it has
   * @param usual the answer that says no more than that
   */
  void answer(Exchange exchange, String riderId, Answer usual);
}
