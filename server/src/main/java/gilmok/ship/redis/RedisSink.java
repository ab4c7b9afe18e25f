package gilmok.ship.redis;

import gilmok.log.Counts;
import gilmok.redis.Call;
import gilmok.redis.Redis;
import gilmok.redis.RedisConnection;
import gilmok.redis.Reply;
import gilmok.redis.Reply.Fault;
import gilmok.redis.Reply.Kind;
import gilmok.ship.Batch;
import gilmok.ship.Sink;
import gilmok.ship.SinkLimits;
import gilmok.ship.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ships positions to Redis: everybody's latest, and all of them as a stream. One flush for a batch.
 * A record is acknowledged when Redis has answered its entry in the stream with an id and its
 * rider's script with a number; what lacks one of the two is sent again, without the other.
 *
 * <p>Not thread-safe: one batch at a time.
 */
public final class RedisSink implements Sink {
  private static final String DAMAGED = "damaged: no event";

  private final RedisConnection connection;
  private final InstantSource clock;
  private final LatestKeys latest;
  private final String streamName;
  private final byte[] stream;
  private final byte[] lengthMax;

  /** Of the batch that is being sent again: what is in the stream, while its latest is not. */
  private final Set<Long> streamed = new HashSet<>();

  /**
   * A sink with a connection of its own, opened by the first batch.
   *
   * @param clock for what is too old to be kept
   */
  public RedisSink(RedisSinkConfig config, Redis redis, InstantSource clock) {
    this.clock = clock;
    connection = redis.connection();
    latest = new LatestKeys(redis.prefix(), config.buckets(), config.keep());
    streamName = redis.prefix() + ":positions";
    stream = Call.utf8(streamName);
    lengthMax = Call.utf8(Integer.toString(config.streamLengthMax()));
  }

  /** What no setting can pass. */
  public static SinkLimits limits() {
    return RedisSinkConfig.LIMITS;
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
    Transfer transfer =
        Transfer.of(batch, latest, stream, lengthMax, streamed, clock.instant().toEpochMilli());
    List<Reply> replies = connection.exchange(transfer.calls());
    Verdict verdict = verdict(batch, transfer, replies);
    return transfer.damaged().isEmpty()
        ? verdict
        : new Verdict.RejectThese(transfer.damaged(), "", DAMAGED, verdict);
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

  private Verdict verdict(Batch batch, Transfer transfer, List<Reply> replies) {
    Counts acknowledged = new Counts();
    BitSet again = new BitSet();
    Fault worst = null;
    String first = "";
    String last = "";
    for (int i = 0; i < batch.size(); i++) {
      if (transfer.damaged().get(i)) {
        continue;
      }
      Reply entry = transfer.entryOf(i) == Transfer.NONE ? null : replies.get(transfer.entryOf(i));
      boolean inStream = entry == null || entry instanceof Reply.Bytes;
      if (entry instanceof Reply.Bytes id) {
        last = new String(id.value(), StandardCharsets.US_ASCII);
        first = first.isEmpty() ? last : first;
      }
      Fault fault = inStream ? latestFault(transfer, i, replies) : fault(entry);
      if (fault == null) {
        acknowledged.add(batch.stream(i));
      } else {
        again.set(i);
        worst = fault;
        if (inStream) {
          streamed.add(batch.sequence(i));
        }
      }
    }
    String place = first.isEmpty() ? streamName : streamName + " " + first + " to " + last;
    if (worst == null) {
      return new Verdict.Done(acknowledged, place);
    }
    Verdict.Cause cause = cause(worst);
    return acknowledged.total() == 0
        ? new Verdict.Retry(cause, worst.detail())
        : new Verdict.RetryThese(again, acknowledged, place, cause, worst.detail());
  }

  private @Nullable Fault latestFault(Transfer transfer, int i, List<Reply> replies) {
    if (transfer.scriptOf(i) == Transfer.NONE) {
      return null;
    }
    Reply reply = replies.get(transfer.scriptOf(i));
    int bucket = transfer.bucketOf(i);
    if (reply instanceof Reply.Many(List<Reply> numbers)
        && numbers.size() == 2
        && numbers.get(0) instanceof Reply.Whole(long looked)
        && numbers.get(1) instanceof Reply.Whole(long forgotten)
        && looked == transfer.riders(bucket)) {
      latest.trimmed(bucket, forgotten);
      return null;
    }
    return fault(reply);
  }

  private static Fault fault(@Nullable Reply reply) {
    return reply instanceof Fault fault
        ? fault
        : new Fault(Kind.REFUSED, "", "an answer that is not understood");
  }

  /** What a fault means for the sending: the one place where that is decided. */
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
      // READONLY, MOVED (it is a cluster, and redis.cluster does not say so), MISCONF, WRONGTYPE…
      default -> Verdict.Cause.FAILED;
    };
  }

  /** Errors from before Redis gave them names. */
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
