package gilmok.positions.fleet;

import gilmok.redis.FlatReply;
import gilmok.redis.Redis;
import gilmok.redis.RedisCall;
import gilmok.redis.RedisConnection;
import gilmok.redis.RedisReply;
import gilmok.redis.RedisReply.Fault;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The positions of all nodes in Redis, in the keys of the Redis sink. The package's page says how
 * they are read. One flush for each reading, on a connection of its own.
 *
 * <p>Not thread-safe: owned by the follower's loop.
 */
public final class RedisFleet implements FleetSource {
  private static final Logger LOGGER = System.getLogger("gilmok.positions");

  /** The most entries of one reading: their bytes stay below what the garbage collector minds. */
  static final int ENTRIES_MAX = 500;

  /** How many riders a page has, about: Redis serves nobody else meanwhile. */
  private static final int PAGE_RIDERS = 500;

  private static final byte[] SCAN_BEGIN = RedisCall.utf8("0");

  private final RedisConnection connection;
  private final String name;
  private final List<byte[]> stream;
  private final List<List<byte[]>> hashes = new ArrayList<>();
  private FlatReply info = new FlatReply(FleetRecords.BYTES_MAX);
  private FlatReply entries = new FlatReply(FleetRecords.BYTES_MAX);
  private FlatReply page = new FlatReply(FleetRecords.BYTES_MAX);

  /** The last entry read; null before the first reading. */
  private @Nullable EntryId read;

  /** How many entries had ever been added up to that one. */
  private long count;

  private boolean isAtEnd;

  /** The hash whose riders are read at the moment; when all are read, their number. */
  private int bucket;

  private byte[] scan = SCAN_BEGIN;
  private long riders;

  /**
   * A reader that connects with the first reading.
   *
   * @param buckets of the sinks
   */
  public RedisFleet(Redis redis, int buckets) {
    connection = redis.blockingConnection(WAIT_MAX);
    name = redis.prefix() + ":positions";
    stream = List.of(RedisCall.utf8(name));
    for (int i = 0; i < buckets; i++) {
      hashes.add(List.of(RedisCall.utf8(redis.prefix() + ":{b" + i + "}:positions")));
    }
    bucket = buckets;
  }

  @Override
  public Progress read(FleetRecords records) throws IOException, InterruptedException {
    EntryId from = read;
    if (from == null) {
      from = begin(state(ask(List.of(infoCall())).getFirst()), records);
    }
    boolean isBuilding = bucket < hashes.size();
    List<RedisCall> calls = new ArrayList<>(List.of(infoCall(), entriesCall(from, isBuilding)));
    if (isBuilding) {
      calls.add(pageCall());
    }
    List<RedisReply> replies = ask(calls);
    StreamState state = state(replies.getFirst());
    if (state.hasLost(from, count)) {
      LOGGER.log(
          Level.WARNING,
          "{0} in Redis no longer has what follows the last entry read: all riders are read again",
          name);
      begin(state, records);
      return new Progress(false, false, 0, null);
    }
    if (isBuilding) {
      takePage(records);
    }
    int added = RedisRecords.readEntries(entries, records);
    EntryId last = added == 0 ? from : RedisRecords.lastId(entries, added);
    read = last;
    count += added;
    boolean isWhole = bucket == hashes.size();
    isAtEnd = isWhole && added < ENTRIES_MAX;
    long behindMillis = isAtEnd ? 0 : Math.max(0, state.last().millis() - last.millis());
    return new Progress(isWhole, isAtEnd, behindMillis, null);
  }

  /** Begins with all riders, and with what is added to the stream from now on. */
  private EntryId begin(StreamState now, FleetRecords records) {
    records.begun();
    EntryId end = now.last();
    read = end;
    count = now.added();
    isAtEnd = false;
    bucket = 0;
    scan = SCAN_BEGIN;
    riders = 0;
    return end;
  }

  private void takePage(FleetRecords records) throws IOException {
    int before = records.count();
    byte[] next = RedisRecords.readPage(page, records);
    if (next == null) {
      throw new IOException("HSCAN: an answer that is not understood");
    }
    riders += records.count() - before;
    scan = next;
    if (next.length == 1 && next[0] == '0') {
      scan = SCAN_BEGIN;
      bucket++;
    }
    if (bucket == hashes.size()) {
      LOGGER.log(Level.INFO, "read the latest positions of {0} riders from Redis", riders);
    }
  }

  private RedisCall infoCall() {
    return RedisCall.flat("XINFO", words("STREAM"), stream, List.of(), info);
  }

  private RedisCall entriesCall(EntryId from, boolean isBuilding) {
    String most = Integer.toString(ENTRIES_MAX);
    List<byte[]> options =
        isAtEnd && !isBuilding
            ? words("COUNT", most, "BLOCK", Long.toString(WAIT_MAX.toMillis()), "STREAMS")
            : words("COUNT", most, "STREAMS");
    return RedisCall.flat("XREAD", options, stream, List.of(from.bytes()), entries);
  }

  private RedisCall pageCall() {
    List<byte[]> options = new ArrayList<>(List.of(scan));
    options.addAll(words("COUNT", Integer.toString(PAGE_RIDERS)));
    return RedisCall.flat("HSCAN", List.of(), hashes.get(bucket), options, page);
  }

  private static List<byte[]> words(String... words) {
    List<byte[]> all = new ArrayList<>();
    for (String word : words) {
      all.add(word.getBytes(StandardCharsets.US_ASCII));
    }
    return all;
  }

  /** The stream's state, after {@link #ask}. */
  private StreamState state(RedisReply reply) {
    return reply instanceof Fault ? StreamState.ABSENT : StreamState.of(info);
  }

  /**
   * Makes calls. Of XINFO, which comes first, the error that there is no such key is no fault.
   *
   * @throws IOException when one of them failed
   */
  private List<RedisReply> ask(List<RedisCall> calls) throws IOException, InterruptedException {
    boolean isWhole = false;
    try {
      List<RedisReply> replies = connection.exchange(calls);
      for (int i = 0; i < replies.size(); i++) {
        if (replies.get(i) instanceof Fault fault
            && !(i == 0 && fault.detail().startsWith("ERR no such key"))) {
          throw new IOException(connection.told(fault));
        }
      }
      isWhole = true;
      return replies;
    } finally {
      if (!isWhole) { // the driver may still write into what it was given
        info = new FlatReply(FleetRecords.BYTES_MAX);
        entries = new FlatReply(FleetRecords.BYTES_MAX);
        page = new FlatReply(FleetRecords.BYTES_MAX);
        isAtEnd = false;
      }
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
