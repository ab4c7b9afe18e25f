package gilmok.sinks.redis;

import gilmok.redis.LuaScript;
import gilmok.redis.Redis;
import gilmok.redis.RedisCall;
import gilmok.redis.RedisConnection;
import gilmok.redis.RedisReply;
import gilmok.redis.ScriptArguments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes a rider out of what Redis sinks have written: the latest position, in each set of keys, and
 * the entries of the stream, which is read through in pages. Entries that others have read are
 * theirs. Blocks; one thread at a time.
 */
public final class RedisErasure {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int PAGE = 1_000;
  private static final String BEFORE_ALL = "-";
  private static final byte[] RIDER = RedisCall.utf8("riderId");

  /** KEYS: positions, at, geo. ARGV: the rider. Returns whether a position was there. */
  private static final LuaScript FORGET =
      new LuaScript(
          """
          redis.call('ZREM', KEYS[3], ARGV[1])
          local known = redis.call('HDEL', KEYS[1], ARGV[1])
          return known + redis.call('ZREM', KEYS[2], ARGV[1]) - known
          """);

  private final RedisConnection connection;
  private final List<List<byte[]>> buckets = new ArrayList<>();
  private final List<byte[]> stream;

  /**
   * For the keys of that many buckets.
   *
   * @param count see {@link RedisSinkConfig#buckets}
   */
  public RedisErasure(Redis redis, int count) {
    connection = redis.connection(PATIENCE);
    for (int bucket = 0; bucket < count; bucket++) {
      buckets.add(LatestKeys.ofBucket(redis.prefix(), bucket));
    }
    stream = List.of(RedisCall.utf8(redis.prefix() + ":positions"));
  }

  /**
   * Erases; returns how many positions are gone.
   *
   * @throws IOException when Redis does not answer
   */
  public long erase(String riderId) throws IOException, InterruptedException {
    byte[] rider = RedisCall.utf8(riderId);
    long erased = 0;
    for (List<byte[]> keys : buckets) {
      ScriptArguments arguments = new ScriptArguments(rider.length + 16);
      arguments.add(rider, 0, rider.length);
      erased += whole(RedisCall.of(FORGET, keys, arguments));
    }
    String from = BEFORE_ALL;
    List<RedisReply> page = page(from);
    while (!page.isEmpty()) {
      List<byte[]> theirs = new ArrayList<>();
      for (RedisReply entry : page) {
        if (isOf(entry, rider)) {
          theirs.add(id(entry));
        }
      }
      if (!theirs.isEmpty()) {
        erased += whole(RedisCall.of("XDEL", stream, theirs));
      }
      from = "(" + new String(id(page.getLast()), StandardCharsets.UTF_8);
      page = page(from);
    }
    return erased;
  }

  private List<RedisReply> page(String from) throws IOException, InterruptedException {
    List<byte[]> words = new ArrayList<>();
    for (String word : List.of(from, "+", "COUNT", Integer.toString(PAGE))) {
      words.add(RedisCall.utf8(word));
    }
    return ask(RedisCall.of("XRANGE", stream, words)) instanceof RedisReply.Many(var entries)
        ? entries
        : List.of();
  }

  private static byte[] id(RedisReply entry) throws IOException {
    if (entry instanceof RedisReply.Many(List<RedisReply> two)
        && two.size() == 2
        && two.getFirst() instanceof RedisReply.Bytes(byte[] id)) {
      return id;
    }
    throw new IOException("XRANGE: an answer that is not understood");
  }

  private static boolean isOf(RedisReply entry, byte[] rider) {
    if (!(entry instanceof RedisReply.Many(List<RedisReply> two)
        && two.size() == 2
        && two.get(1) instanceof RedisReply.Many(List<RedisReply> fields))) {
      return false;
    }
    for (int i = 0; i + 1 < fields.size(); i += 2) {
      if (fields.get(i) instanceof RedisReply.Bytes(byte[] name)
          && Arrays.equals(name, RIDER)
          && fields.get(i + 1) instanceof RedisReply.Bytes(byte[] value)) {
        return Arrays.equals(value, rider);
      }
    }
    return false;
  }

  private long whole(RedisCall call) throws IOException, InterruptedException {
    return ask(call) instanceof RedisReply.Whole(long value) ? value : 0;
  }

  private RedisReply ask(RedisCall call) throws IOException, InterruptedException {
    RedisReply reply = connection.exchange(List.of(call)).getFirst();
    if (reply instanceof RedisReply.Fault fault) {
      throw new IOException(connection.told(fault));
    }
    return reply;
  }

  /** Closes its connection. */
  public void close() {
    connection.close();
  }
}
