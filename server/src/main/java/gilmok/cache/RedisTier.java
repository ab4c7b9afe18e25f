package gilmok.cache;

import gilmok.observe.RateLimitedLog;
import gilmok.redis.LuaScript;
import gilmok.redis.Redis;
import gilmok.redis.RedisCall;
import gilmok.redis.RedisConnection;
import gilmok.redis.RedisReply;
import gilmok.redis.RedisReply.Fault;
import gilmok.redis.RedisReply.Kind;
import gilmok.redis.ScriptArguments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The shared tier in Redis. Each key has a value and a lease, in one hash slot; package-info lists
 * their bytes. After Redis did not answer, calls skip it for half a second; then one call tries it
 * again.
 *
 * <p>Thread-safe. Blocks for at most three times {@code sharedTimeout}.
 */
public final class RedisTier implements SharedTier, AutoCloseable {
  /**
   * KEYS: value, lease. ARGV: token, lease time (ms); if a value is held, also its version and how
   * long it stays fresh (ms). Returns a newer value with its remaining time (ms); or 1 if the
   * caller got the lease, 0 if another holds it.
   */
  static final String ASK_LUA =
      """
      local value = redis.call('GET', KEYS[1])
      if value then
        local left = redis.call('PTTL', KEYS[1])
        if not ARGV[3] or (string.sub(value, 1, 8) ~= ARGV[3] and left > tonumber(ARGV[4])) then
          return {value, left}
        end
      end
      if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then
        return 1
      end
      return 0
      """;

  private static final LuaScript ASK = new LuaScript(ASK_LUA);

  /**
   * KEYS: value, lease. ARGV: token, lease time (ms). Deletes the value, takes the lease, returns
   * 1.
   */
  static final String RESET_LUA =
      """
      redis.call('DEL', KEYS[1])
      redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
      return 1
      """;

  private static final LuaScript RESET = new LuaScript(RESET_LUA);

  /**
   * KEYS: value, lease. ARGV: the value's time to live (ms), the value, which begins with its
   * token. A token without a value only releases the lease. A caller that does not hold the lease
   * changes nothing.
   */
  static final String PUT_LUA =
      """
      if redis.call('GET', KEYS[2]) ~= string.sub(ARGV[2], 1, 8) then
        return 0
      end
      if #ARGV[2] > 8 then
        redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1])
      end
      redis.call('DEL', KEYS[2])
      return 1
      """;

  private static final LuaScript PUT = new LuaScript(PUT_LUA);

  private static final int TOKEN_BYTES = 8;
  private static final int HEADER_BYTES = TOKEN_BYTES + 4;
  private static final int VALUE_BYTES_MAX = 1 << 20;
  private static final long ALONE_NANOS = 500_000_000;

  /** More changes than come in the time in which a reader connects again. */
  private static final String CHANGES_MAX = "10000";

  private final RedisConnection connection;
  private final RedisChanges changes;
  private final String before;
  private final long ttlMillis;
  private final long leaseMillis;
  private final SecureRandom tokens = new SecureRandom();
  private final AtomicLong aloneUntil = new AtomicLong();
  private final RateLimitedLog rateLimitedLog;

  /**
   * A tier that connects on its first call.
   *
   * @param name the cache's name: the same in all processes that share it; a new one when the
   *     codec's format changes
   */
  public RedisTier(Redis redis, String name, CacheConfig config) {
    connection = redis.connection(config.sharedTimeout());
    before = redis.prefix() + ":" + name + "{:";
    changes = new RedisChanges(redis, name);
    ttlMillis = config.ttl().toMillis();
    leaseMillis = config.leaseTimeout().toMillis();
    rateLimitedLog =
        new RateLimitedLog(
            "gilmok.cache", "cache " + name + ": without Redis each process loads for itself");
  }

  @Override
  public Told ask(String key, @Nullable Held held) throws InterruptedException {
    long token = token();
    ScriptArguments arguments = lease(token);
    if (held != null) {
      add(held.version(), arguments);
      arguments.add(TimeUnit.NANOSECONDS.toMillis(held.leftNanos()));
    }
    return told(call(RedisCall.of(ASK, keys(key), arguments)), token);
  }

  @Override
  public Told reset(String key) throws InterruptedException {
    long token = token();
    return told(call(RedisCall.of(RESET, keys(key), lease(token))), token);
  }

  private Told told(@Nullable RedisReply reply, long token) {
    return switch (reply) {
      case RedisReply.Whole(long one) when one == 1 -> new Leased(token);
      case RedisReply.Whole(long none) when none == 0 -> new Taken();
      case RedisReply.Many(List<RedisReply> two)
          when two.size() == 2
              && two.get(0) instanceof RedisReply.Bytes value
              && two.get(1) instanceof RedisReply.Whole(long millis) ->
          found(value.value(), millis);
      case null, default -> new Away();
    };
  }

  private static Told found(byte[] value, long millis) {
    if (value.length < HEADER_BYTES || millis < 0) {
      return new Garbled(); // we store no value without an expiry
    }
    ByteBuffer header = ByteBuffer.wrap(value);
    long version = header.getLong();
    long delta = TimeUnit.MICROSECONDS.toNanos(Math.max(0, header.getInt()));
    byte[] bytes = new byte[value.length - HEADER_BYTES];
    header.get(bytes);
    return new Found(bytes, delta, TimeUnit.MILLISECONDS.toNanos(millis), version);
  }

  @Override
  public void put(String key, long token, long deltaNanos, byte[] bytes)
      throws InterruptedException {
    if (bytes.length > VALUE_BYTES_MAX) {
      release(key, token);
      return;
    }
    long micros = Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMicros(deltaNanos));
    ByteBuffer value = ByteBuffer.allocate(HEADER_BYTES + bytes.length);
    value.putLong(token).putInt((int) micros).put(bytes);
    RedisReply _ = put(key, value.array());
  }

  @Override
  public void release(String key, long token) throws InterruptedException {
    RedisReply _ = put(key, bytes(token));
  }

  private @Nullable RedisReply put(String key, byte[] value) throws InterruptedException {
    ScriptArguments arguments = new ScriptArguments(value.length + 64);
    arguments.add(ttlMillis).add(value, 0, value.length);
    return call(RedisCall.of(PUT, keys(key), arguments));
  }

  @Override
  public boolean forget(String key) throws InterruptedException {
    return call(RedisCall.of("DEL", keys(key), List.of())) instanceof RedisReply.Whole;
  }

  @Override
  public boolean tell(String key) throws InterruptedException {
    return tell(List.of(RedisChanges.KEY, RedisCall.utf8(key)));
  }

  @Override
  public boolean tellAll() throws InterruptedException {
    return tell(List.of());
  }

  private boolean tell(List<byte[]> key) throws InterruptedException {
    List<byte[]> words = new ArrayList<>();
    for (String word : List.of("MAXLEN", "~", CHANGES_MAX, "*")) {
      words.add(RedisCall.utf8(word));
    }
    words.add(RedisChanges.BY);
    words.add(changes.process());
    words.addAll(key);
    return call(RedisCall.of("XADD", changes.stream(), words)) instanceof RedisReply.Bytes;
  }

  /** What the other processes tell; to be read by one loop. */
  RedisChanges changes() {
    return changes;
  }

  /**
   * Checks whether Redis answers; connects if necessary. If it answers, calls use it again at once.
   *
   * @return what is wrong, in words for people; null when nothing is
   */
  public @Nullable String ping() throws InterruptedException {
    String fault = connection.ping();
    if (fault == null) {
      aloneUntil.set(0);
    }
    return fault;
  }

  /** The reply; null when Redis failed or is skipped. */
  private @Nullable RedisReply call(RedisCall call) throws InterruptedException {
    if (isAlone()) {
      return null;
    }
    RedisReply reply = connection.exchange(List.of(call)).getFirst();
    if (reply instanceof Fault fault) {
      if (fault.kind() == Kind.UNREACHABLE || fault.kind() == Kind.TIMEOUT) {
        aloneUntil.set(later());
      }
      rateLimitedLog.about(new IOException(connection.told(fault)));
      return null;
    }
    if (aloneUntil.get() != 0) {
      aloneUntil.set(0);
    }
    return reply;
  }

  /** Whether to skip Redis. When the pause is over, one caller is let through to try it. */
  private boolean isAlone() {
    long until = aloneUntil.get();
    return until != 0
        && (System.nanoTime() - until < 0 || !aloneUntil.compareAndSet(until, later()));
  }

  private static long later() {
    return (System.nanoTime() + ALONE_NANOS) | 1; // 0 means that Redis answers
  }

  private ScriptArguments lease(long token) {
    ScriptArguments arguments = new ScriptArguments(64);
    add(token, arguments);
    return arguments.add(leaseMillis);
  }

  private static void add(long token, ScriptArguments arguments) {
    byte[] bytes = bytes(token);
    arguments.add(bytes, 0, bytes.length);
  }

  private static byte[] bytes(long token) {
    return ByteBuffer.allocate(TOKEN_BYTES).putLong(token).array();
  }

  private long token() {
    long token = tokens.nextLong();
    return token == NONE ? 1 : token;
  }

  /**
   * The keys of value and lease. The colon keeps the hash tag from being empty, whatever the key
   * is.
   */
  private List<byte[]> keys(String key) {
    String value = before + key + "}";
    return List.of(RedisCall.utf8(value), RedisCall.utf8(value + "l"));
  }

  /** Closes the connections. Blocks briefly. */
  @Override
  public void close() {
    changes.close();
    connection.close();
  }
}
