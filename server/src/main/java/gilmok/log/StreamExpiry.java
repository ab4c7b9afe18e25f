package gilmok.log;

import gilmok.background.BackgroundLoop;
import gilmok.background.LowPriority;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Erases the records of streams that have a retention of their own in the log: those that are
 * older, and that every cursor has passed. A segment is rewritten once for each such stream, when
 * all of it is that old; so a record may stay for as long as its segment took to fill. Records that
 * a reader still waits for stay.
 *
 * <p>Owned by the thread of its loop.
 */
public final class StreamExpiry implements BackgroundLoop.Work {
  private static final long LOOK_MILLIS_MIN = 1_000;
  private static final long LOOK_MILLIS_MAX = 600_000;

  /** So often in the shortest retention. */
  private static final int LOOKS = 10;

  private final Log log;
  private final StreamRetention retention;
  private final InstantSource clock;

  /** By stream: everything up to this sequence was done since the start. */
  private final Map<Stream, Long> done = new EnumMap<>(Stream.class);

  private boolean hasBegun;

  public StreamExpiry(Log log, StreamRetention retention, InstantSource clock) {
    this.log = log;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    if (!hasBegun) {
      LowPriority.lower();
      hasBegun = true;
    }
    for (Map.Entry<Stream, Duration> one : retention.own().entrySet()) {
      expire(one.getKey(), clock.millis() - one.getValue().toMillis());
    }
    long looks = retention.shortest().toMillis() / LOOKS;
    return TimeUnit.MILLISECONDS.toNanos(Math.clamp(looks, LOOK_MILLIS_MIN, LOOK_MILLIS_MAX));
  }

  private void expire(Stream stream, long beforeMillis) throws IOException, InterruptedException {
    long passed = log.cursors().stream().mapToLong(log::sequenceOf).min().orElse(log.durable());
    long through = Math.min(passed, log.sequenceAt(beforeMillis) - 1);
    long from = log.firstOf(stream, done.getOrDefault(stream, 0L) + 1);
    if (from > through) {
      return;
    }
    LogRewriter.Result result =
        log.rewriter()
            .rewriteEnded(
                from,
                through,
                (of, receivedAtMillis, bytes, offset, length) ->
                    of == stream && receivedAtMillis < beforeMillis
                        ? RecordRewrite.ERASE
                        : RecordRewrite.KEEP,
                (reached, last, soFar) -> {});
    done.put(stream, result.through());
  }
}
