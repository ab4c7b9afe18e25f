package gilmok.sinks.redis;

import gilmok.redis.RedisReply;
import gilmok.redis.RedisReply.Fault;
import gilmok.redis.RedisReply.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The result of one {@link TransferPart}.
 *
 * @param kept how many of its positions or riders Redis has acknowledged: the first ones
 * @param fault why the others are missing; null when none is
 * @param first the id of the first entry in the stream, empty when there is none
 * @param last the id of the last entry
 */
record PartOutcome(int kept, @Nullable Fault fault, String first, String last) {
  /** None is known to be in Redis. */
  static PartOutcome none(RedisReply reply) {
    Fault fault =
        reply instanceof Fault told
            ? told
            : new Fault(Kind.REFUSED, "", "an answer that is not understood");
    return new PartOutcome(0, fault, "", "");
  }
}
