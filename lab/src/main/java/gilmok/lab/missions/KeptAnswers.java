package gilmok.lab.missions;

import gilmok.redis.RedisCall;
import gilmok.redis.RedisConnection;
import gilmok.redis.RedisReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The values that one way keeps for riders in Redis, loaded when they are missing. The source is
 * simulated: it answers after a wait, like a database. Thread-safe; calls block, so they belong on
 * virtual threads.
 */
final class KeptAnswers {
  private static final long LOCK_MILLIS = 5_000;
  private static final long LOCK_SLEEP_MILLIS = 10;

  private final MadeUpMissions made;
  private final AnswerWay way;
  private final Guard guard;
  private final RedisConnection redis;
  private final long ttlMillis;
  private final long sourceMillis;
  private final AtomicLong loads = new AtomicLong();
  private final ConcurrentHashMap<Integer, CompletableFuture<byte[]>> flights =
      new ConcurrentHashMap<>();

  /**
   * An empty cache.
   *
   * @param ttlMillis the time to live of a value
   * @param sourceMillis how long a load from the source takes
   */
  KeptAnswers(
      MadeUpMissions made,
      AnswerWay way,
      Guard guard,
      RedisConnection redis,
      long ttlMillis,
      long sourceMillis) {
    this.made = made;
    this.way = way;
    this.guard = guard;
    this.redis = redis;
    this.ttlMillis = guard == Guard.LONGER ? (long) (ttlMillis * Guard.LONGER_TIMES) : ttlMillis;
    this.sourceMillis = sourceMillis;
  }

  /** The number of loads from the source. */
  long loads() {
    return loads.get();
  }

  /** The value of a rider. */
  byte[] get(int rider) throws IOException, InterruptedException {
    byte[] kept = look(rider);
    if (kept != null) {
      return kept;
    }
    return switch (guard) {
      case NONE, LONGER -> load(rider);
      case LOCK -> loadLocked(rider);
      case SINGLE_FLIGHT -> join(rider);
    };
  }

  private byte[] loadLocked(int rider) throws IOException, InterruptedException {
    while (true) {
      List<byte[]> words = List.of(text("1"), text("NX"), text("PX"), number(LOCK_MILLIS));
      if (!(ask("SET", lock(rider), words) instanceof RedisReply.Nothing)) {
        try {
          byte[] meanwhile = look(rider);
          return meanwhile == null ? load(rider) : meanwhile;
        } finally {
          RedisReply _ = ask("DEL", lock(rider), List.of());
        }
      }
      TimeUnit.MILLISECONDS.sleep(LOCK_SLEEP_MILLIS);
      byte[] kept = look(rider);
      if (kept != null) {
        return kept;
      }
    }
  }

  private byte[] join(int rider) throws IOException, InterruptedException {
    CompletableFuture<byte[]> own = new CompletableFuture<>();
    CompletableFuture<byte[]> flight = flights.putIfAbsent(rider, own);
    if (flight != null) {
      try {
        return flight.get();
      } catch (ExecutionException e) {
        throw new IOException("the flight that was joined failed", e);
      }
    }
    try {
      // Another load may have ended between the look-up and the start of this one.
      byte[] meanwhile = look(rider);
      own.complete(meanwhile == null ? load(rider) : meanwhile);
      return own.join();
    } finally {
      flights.remove(rider, own);
      own.completeExceptionally(new IOException("not loaded"));
    }
  }

  private byte @Nullable [] look(int rider) throws IOException, InterruptedException {
    return ask("GET", key(rider), List.of()) instanceof RedisReply.Bytes bytes
        ? bytes.value()
        : null;
  }

  private byte[] load(int rider) throws IOException, InterruptedException {
    loads.incrementAndGet();
    if (sourceMillis > 0) {
      TimeUnit.MILLISECONDS.sleep(sourceMillis);
    }
    byte[] kept = way.keep(made, rider);
    RedisReply _ = ask("SET", key(rider), List.of(kept, text("PX"), number(ttlMillis)));
    return kept;
  }

  private RedisReply ask(String name, byte[] key, List<byte[]> words)
      throws IOException, InterruptedException {
    List<byte[]> own = new ArrayList<>(words);
    RedisReply reply = redis.exchange(List.of(RedisCall.of(name, List.of(key), own))).getFirst();
    if (reply instanceof RedisReply.Fault fault) {
      throw new IOException(name + ": " + fault);
    }
    return reply;
  }

  private static byte[] key(int rider) {
    return text("lab:" + MadeUpMissions.rider(rider));
  }

  private static byte[] lock(int rider) {
    return text("lab:lock:" + MadeUpMissions.rider(rider));
  }

  private static byte[] number(long value) {
    return text(Long.toString(value));
  }

  private static byte[] text(String value) {
    return RedisCall.utf8(value);
  }
}
