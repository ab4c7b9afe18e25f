package gilmok.ship.redis;

import gilmok.redis.Reply;
import gilmok.redis.Reply.Fault;
import gilmok.redis.Reply.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What became of one {@link Part}.
 *
 * @param kept so many of its positions or riders are in Redis by its answer: the first ones
 * @param fault why the others are not; null when all are
 * @param first the id of the first entry in the stream, empty when there is none
 * @param last the id of the last entry
 */
record Outcome(int kept, @Nullable Fault fault, String first, String last) {
  static Outcome all(Part part) {
    return new Outcome(part.count(), null, "", "");
  }

  /** Nothing is known to be there. */
  static Outcome none(Reply reply) {
    Fault fault =
        reply instanceof Fault told
            ? told
            : new Fault(Kind.REFUSED, "", "an answer that is not understood");
    return new Outcome(0, fault, "", "");
  }
}
