package gilmok.cache;

import gilmok.redis.FlatReply;
import gilmok.redis.Redis;
import gilmok.redis.RedisCall;
import gilmok.redis.RedisConnection;
import gilmok.redis.RedisReply;
import gilmok.redis.RedisReply.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that other processes have changed, as they tell it in a stream of Redis. After a failed
 * reading it begins anew at the stream's end: what was told meanwhile may be missed, and it says
 * so. No reading asks whether entries were trimmed unread, as only a failed one takes long enough.
 *
 * <p>Reading and closing are not thread-safe: its loop's. What it is made of can be read anywhere.
 */
final class RedisChanges implements AutoCloseable {
  /** The name of the process that tells, in an entry. */
  static final byte[] BY = RedisCall.utf8("by");

  /** The name of the key, in an entry; one without it concerns all keys. */
  static final byte[] KEY = RedisCall.utf8("key");

  /** How long a reading waits for something to read. An idle node wakes as seldom. */
  static final Duration WAIT_MAX = Duration.ofSeconds(5);

  static final int ENTRIES_MAX = 1000;

  private static final int KEY_BYTES_MAX = 1 << 12;
  private static final byte[] BEFORE_ALL = RedisCall.utf8("0-0");

  private final RedisConnection connection;
  private final List<byte[]> stream;
  private final byte[] process;

  /** The last entry that was read; null: begins anew. */
  private byte @Nullable [] last;

  /**
   * What one reading has found.
   *
   * @param keys that others have changed
   * @param isAll whether any key may have been changed
   */
  record Changes(List<String> keys, boolean isAll) {}

  /** A reader that connects with its first reading. */
  RedisChanges(Redis redis, String name) {
    connection = redis.blockingConnection(WAIT_MAX);
    stream = List.of(RedisCall.utf8(redis.prefix() + ":" + name + "-changes"));
    process = RedisCall.utf8(HexFormat.of().toHexDigits(new SecureRandom().nextLong()));
  }

  /** The stream's key. */
  List<byte[]> stream() {
    return stream;
  }

  /** What names this process among all that tell. */
  byte[] process() {
    return process;
  }

  /**
   * Reads what others have told since the last reading; waits for it, at most {@link #WAIT_MAX}.
   *
   * @throws IOException when Redis does not answer
   */
  Changes read() throws IOException, InterruptedException {
    byte[] from = last;
    last = null; // unless this reading is whole
    Changes changes;
    if (from == null) {
      from = end();
      changes = new Changes(List.of(), true);
    } else {
      FlatReply entries = new FlatReply(KEY_BYTES_MAX);
      List<byte[]> options =
          words(
              "COUNT",
              Integer.toString(ENTRIES_MAX),
              "BLOCK",
              Long.toString(WAIT_MAX.toMillis()),
              "STREAMS");
      ask(RedisCall.flat("XREAD", options, stream, List.of(from), entries));
      List<String> keys = new ArrayList<>();
      boolean isAll = false;
      int count = Math.max(0, entries.elements(3));
      int at = 4; // after: the reply, a stream, its key, its entries
      for (int i = 0; i < count; i++) {
        from = bytes(entries, at + 1);
        isAll |= !take(entries, at, keys);
        at = entries.after(at);
      }
      changes = new Changes(keys, isAll);
    }
    last = from;
    return changes;
  }

  /** The id of the stream's last entry. */
  private byte[] end() throws IOException, InterruptedException {
    FlatReply newest = new FlatReply(KEY_BYTES_MAX);
    ask(RedisCall.flat("XREVRANGE", List.of(), stream, words("+", "-", "COUNT", "1"), newest));
    return newest.elements(0) == 1 ? bytes(newest, 2) : BEFORE_ALL;
  }

  /** Adds the key of an entry, an array of its id and an array of names and values. */
  private boolean take(FlatReply reply, int at, List<String> keys) {
    String key = null;
    int end = at + 3 + Math.max(0, reply.elements(at + 2));
    for (int name = at + 3; name + 1 < end; name += 2) {
      if (reply.is(name, BY) && reply.is(name + 1, process)) {
        return true; // this process's own
      }
      if (reply.is(name, KEY) && reply.isBytes(name + 1)) {
        key = new String(bytes(reply, name + 1), StandardCharsets.UTF_8);
      }
    }
    return key != null && keys.add(key);
  }

  private static byte[] bytes(FlatReply reply, int i) {
    int from = reply.offset(i);
    return Arrays.copyOfRange(reply.bytes(), from, from + reply.length(i));
  }

  private static List<byte[]> words(String... words) {
    return Arrays.stream(words).map(RedisCall::utf8).toList();
  }

  private void ask(RedisCall call) throws IOException, InterruptedException {
    RedisReply reply = connection.exchange(List.of(call)).getFirst();
    if (reply instanceof Fault fault) {
      throw new IOException(connection.told(fault));
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
