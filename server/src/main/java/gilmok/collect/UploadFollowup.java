package gilmok.collect;

import gilmok.http.Answer;
import gilmok.http.Exchange;

/** Answers an upload with more than that it is stored. Thread-safe. */
@FunctionalInterface
public interface UploadFollowup {
  /** Where there is nothing more to say. */
  UploadFollowup NONE = (exchange, _, _, usual) -> usual.send(exchange);

  /**
   * Answers an upload that is durable. From its event loop.
   *
   * @param riderId whose records it has
   * @param sequence of its last record; 0 if all were repeats
   * @param usual the answer that says no more than that
   */
  void answer(Exchange exchange, String riderId, long sequence, Answer usual);

  /** One that is known only after the routes of phones were made. Thread-safe. */
  final class Later implements UploadFollowup {
    private volatile UploadFollowup known = NONE;

    /** Uses that one from now on. */
    public void use(UploadFollowup followup) {
      known = followup;
    }

    @Override
    public void answer(Exchange exchange, String riderId, long sequence, Answer usual) {
      known.answer(exchange, riderId, sequence, usual);
    }
  }
}
