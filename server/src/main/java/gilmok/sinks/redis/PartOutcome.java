package gilmok.sinks.redis;

import gilmok.redis.RedisReply;
import gilmok.redis.RedisReply.Fault;
import gilmok.redis.RedisReply.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What became of one {@link TransferPart}.
 *
 * @param kept so many of its positions or riders are in Redis by its answer: the first ones
 * @param fault why the others are not; null when all are
 * @param first the id of the first entry in the stream, empty when there is none
 * @param last the id of the last entry
 */
record PartOutcome(int kept, @Nullable Fault fault, String first, String last) {
  /** Nothing is known to be there. */
  static PartOutcome none(RedisReply reply) {
    Fault fault =
        reply instanceof Fault told
            ? told
            : new Fault(Kind.REFUSED, "", "an answer that is not understood");
    return new PartOutcome(0, fault, "", "");
  }
}
