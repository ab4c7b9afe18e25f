package gilmok.sinks.redis;

import gilmok.log.StreamCounts;
import gilmok.redis.Redis;
import gilmok.redis.RedisConnection;
import gilmok.redis.RedisReply;
import gilmok.redis.RedisReply.Fault;
import gilmok.sinks.Batch;
import gilmok.sinks.Sink;
import gilmok.sinks.Verdict;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Ships positions to Redis: each rider's latest, and all of them as a stream. One flush for a
 * batch. A record is acknowledged when Redis has answered both that its entry is in the stream and
 * that its rider's latest position was checked. If one of the two is missing, only that one is sent
 * again.
 *
 * <p>Not thread-safe: one batch at a time.
 */
public final class RedisSink implements Sink {
  private static final String DAMAGED = "damaged: no event";

  private final RedisConnection connection;
  private final InstantSource clock;
  private final LatestKeys latest;
  private final StreamKey stream;
  private final RedisEncoder encoder;

  /**
   * Sequences of the batch being retried that are in the stream while their latest positions are
   * not.
   */
  private final Set<Long> streamed = new HashSet<>();

  /**
   * A sink with a connection of its own, opened by the first batch.
   *
   * @param clock tells which fixes are too old to be kept
   */
  public RedisSink(RedisSinkConfig config, Redis redis, InstantSource clock) {
    this.clock = clock;
    connection = redis.connection();
    latest = new LatestKeys(redis.prefix(), config.buckets(), config.keep());
    stream = new StreamKey(redis.prefix(), config.streamLengthMax());
    encoder = new RedisEncoder(latest, stream);
  }

  @Override
  public String kind() {
    return "redis";
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public Verdict send(Batch batch) throws InterruptedException {
    keepStreamed(batch);
    RedisTransfer transfer = encoder.pack(batch, streamed, clock.instant().toEpochMilli());
    List<RedisReply> replies = connection.exchange(transfer.calls());
    if (replies.stream().noneMatch(Fault.class::isInstance)) {
      // Without all answers, the driver may still send from these buffers, so they are not reused.
      encoder.answered(transfer);
    }
    Verdict verdict = verdict(batch, transfer, replies);
    return transfer.damaged.isEmpty()
        ? verdict
        : new Verdict.RejectThese(transfer.damaged, "", DAMAGED, verdict);
  }

  @Override
  public @Nullable String probe() throws InterruptedException {
    return connection.ping();
  }

  private void keepStreamed(Batch batch) {
    if (!streamed.isEmpty()) {
      Set<Long> here = new HashSet<>();
      for (int i = 0; i < batch.size(); i++) {
        here.add(batch.sequence(i));
      }
      streamed.retainAll(here);
    }
  }

  private Verdict verdict(Batch batch, RedisTransfer transfer, List<RedisReply> replies) {
    List<PartOutcome> moved = outcomes(transfer.moves, replies, latest::outcome);
    List<RedisReply> others = replies.subList(moved.size(), replies.size());
    List<PartOutcome> added = outcomes(transfer.additions, others, StreamKey::outcome);
    StreamCounts acknowledged = new StreamCounts();
    BitSet again = new BitSet();
    Fault worst = null;
    for (int i = 0; i < batch.size(); i++) {
      if (transfer.damaged.get(i)) {
        continue;
      }
      Fault fault = null;
      int addition = transfer.additionOf[i];
      if (addition != RedisTransfer.NONE && transfer.placeOf[i] >= added.get(addition).kept()) {
        fault = added.get(addition).fault();
      } else if (transfer.moveOf[i] != RedisTransfer.NONE) {
        fault = moved.get(transfer.moveOf[i]).fault();
        if (fault != null) {
          streamed.add(batch.sequence(i));
        }
      }
      if (fault == null) {
        acknowledged.add(batch.stream(i));
      } else {
        again.set(i);
        worst = fault;
      }
    }
    String place = place(added);
    if (worst == null) {
      return new Verdict.Done(acknowledged, place);
    }
    Verdict.Cause cause = cause(worst);
    return acknowledged.total() == 0
        ? new Verdict.Retry(cause, connection.told(worst))
        : new Verdict.RetryThese(again, acknowledged, place, cause, connection.told(worst));
  }

  private static List<PartOutcome> outcomes(
      List<TransferPart> parts,
      List<RedisReply> replies,
      BiFunction<TransferPart, RedisReply, PartOutcome> outcome) {
    List<PartOutcome> outcomes = new ArrayList<>();
    for (TransferPart part : parts) {
      outcomes.add(outcome.apply(part, replies.get(outcomes.size())));
    }
    return outcomes;
  }

  private String place(List<PartOutcome> added) {
    String first = "";
    String last = "";
    for (PartOutcome outcome : added) {
      first = first.isEmpty() ? outcome.first() : first;
      last = outcome.last().isEmpty() ? last : outcome.last();
    }
    return first.isEmpty() ? stream.name() : stream.name() + " " + first + " to " + last;
  }

  /** Translates a fault to a cause: the one place where that is decided. */
  static Verdict.Cause cause(Fault fault) {
    return switch (fault.kind()) {
      case UNREACHABLE -> Verdict.Cause.UNREACHABLE;
      case TIMEOUT -> Verdict.Cause.TIMEOUT;
      case BUSY -> Verdict.Cause.THROTTLED;
      case REFUSED -> refused(fault.code(), fault.detail());
    };
  }

  private static Verdict.Cause refused(String code, String detail) {
    return switch (code) {
      case "NOAUTH", "WRONGPASS", "NOPERM", "DENIED" -> Verdict.Cause.DENIED;
      case "OOM", "BUSY", "TRYAGAIN" -> Verdict.Cause.THROTTLED;
      case "LOADING", "MASTERDOWN", "CLUSTERDOWN" -> Verdict.Cause.UNREACHABLE;
      case "ERR" -> unnamed(detail);
      // READONLY, MOVED (a cluster, but redis.cluster is not set), MISCONF, WRONGTYPE…
      default -> Verdict.Cause.FAILED;
    };
  }

  /** The cause of an error from before Redis had error codes. */
  private static Verdict.Cause unnamed(String detail) {
    if (detail.contains("AUTH") || detail.contains("can't run this command")) {
      return Verdict.Cause.DENIED;
    }
    return detail.startsWith("ERR max number of clients")
        ? Verdict.Cause.THROTTLED
        : Verdict.Cause.FAILED;
  }

  @Override
  public void close() {
    connection.close();
  }
}
