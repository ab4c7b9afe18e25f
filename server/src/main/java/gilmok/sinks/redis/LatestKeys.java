package gilmok.sinks.redis;

import gilmok.event.EventField;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.redis.LuaScript;
import gilmok.redis.RedisCall;
import gilmok.redis.RedisReply;
import gilmok.redis.ScriptArguments;
import gilmok.sinks.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The keys in Redis of the riders' latest positions, and the script that moves riders. The riders
 * are spread over buckets. The keys of one bucket share a hash tag, so that a script may use them
 * all in a cluster too.
 *
 * <p>Not thread-safe: owned by the sink.
 */
final class LatestKeys {
  /** The most riders that one call forgets, so that its work is bounded. */
  static final int TRIM_MAX = 100;

  private static final Duration TRIM_INTERVAL = Duration.ofMinutes(1);

  /**
   * KEYS: positions, at, geo. ARGV: forget riders before this time (ms), at most this many; then
   * for each rider: rider, at, lon, lat, position (lon empty: leave out of the index), no rider
   * twice. Moves a rider unless its fix is older than the known one, by the same rule as the
   * server's own latest positions. Returns how many riders it checked, and how many it forgot.
   *
   * <p>The times are set last: if a step before fails, the next attempt moves the riders again. Lua
   * can pass at most some 8,000 values at once: {@link RedisEncoder#COUNT_MAX}.
   */
  private static final LuaScript MOVE =
      new LuaScript(
          """
          local positions, at, geo, argv, call = KEYS[1], KEYS[2], KEYS[3], ARGV, redis.call
          local forgotten = 0
          local most = tonumber(argv[2])
          if most > 0 then
            local old = call('ZRANGEBYSCORE', at, '-inf', '(' .. argv[1], 'LIMIT', 0, most)
            forgotten = #old
            if forgotten > 0 then
              call('HDEL', positions, unpack(old))
              call('ZREM', geo, unpack(old))
              call('ZREM', at, unpack(old))
            end
          end
          local riders, looked = {}, 0
          for i = 3, #argv, 5 do
            looked = looked + 1
            riders[looked] = argv[i]
          end
          local known = call('ZMSCORE', at, unpack(riders))
          local texts, times, moved = {}, {}, 0
          local places, placed, unplaced, hidden = {}, 0, {}, 0
          for n = 1, looked do
            local i = 5 * n - 2
            local rider, fix, lon = argv[i], argv[i + 1], argv[i + 2]
            if not known[n] or tonumber(fix) >= tonumber(known[n]) then
              texts[moved + 1] = rider
              texts[moved + 2] = argv[i + 4]
              times[moved + 1] = fix
              times[moved + 2] = rider
              moved = moved + 2
              if lon == '' then
                hidden = hidden + 1
                unplaced[hidden] = rider
              else
                places[placed + 1] = lon
                places[placed + 2] = argv[i + 3]
                places[placed + 3] = rider
                placed = placed + 3
              end
            end
          end
          if moved > 0 then
            call('HSET', positions, unpack(texts))
            if hidden > 0 then
              call('ZREM', geo, unpack(unplaced))
            end
            if placed > 0 then
              call('GEOADD', geo, unpack(places))
            end
            call('ZADD', at, unpack(times))
          end
          return {looked, forgotten}
          """);

  private static final int RIDER_ARGUMENTS = 5;
  private static final int OTHER_ARGUMENTS = 2;

  /**
   * Redis' geo index ends at this latitude, as Web Mercator does (GEOADD); riders beyond it are
   * left out.
   */
  private static final double GEO_LAT_MAX = 85.05112878;

  private final List<List<byte[]>> keys = new ArrayList<>();
  private final long[] trimAtMillis;
  private final long keepMillis;
  private final CRC32 crc = new CRC32();
  private final JsonBuffer text = new JsonBuffer();

  LatestKeys(String prefix, int buckets, Duration keep) {
    for (int bucket = 0; bucket < buckets; bucket++) {
      keys.add(ofBucket(prefix, bucket));
    }
    trimAtMillis = new long[buckets];
    keepMillis = keep.toMillis();
  }

  /** The keys of a bucket: positions, at, geo. */
  static List<byte[]> ofBucket(String prefix, int bucket) {
    String tagged = prefix + ":{b" + bucket + "}:";
    return List.of(
        RedisCall.utf8(tagged + "positions"),
        RedisCall.utf8(tagged + "at"),
        RedisCall.utf8(tagged + "geo"));
  }

  /** The number of buckets. */
  int buckets() {
    return keys.size();
  }

  /** Adds a fix of a batch to its rider; the rider's hash is the CRC-32 of its UTF-8. */
  int note(EventView view, int record, BatchRiders riders) {
    int offset = view.offset(EventField.RIDER_ID);
    int length = view.length(EventField.RIDER_ID);
    crc.reset();
    crc.update(view.bytes(), offset, length);
    return riders.add(offset, length, (int) crc.getValue(), record, view.at());
  }

  /** A rider's bucket: its hash modulo the number of buckets. */
  int bucket(int hash) {
    return (int) (Integer.toUnsignedLong(hash) % keys.size());
  }

  /** Whether a fix is so old that its rider would be forgotten at once. */
  boolean isForgotten(long at, long nowMillis) {
    return at < nowMillis - keepMillis;
  }

  /** Begins the arguments of a call. From time to time the call also forgets the oldest riders. */
  ScriptArguments begin(int bucket, long nowMillis, ScriptArguments empty) {
    boolean trims = nowMillis >= trimAtMillis[bucket];
    if (trims) {
      trimAtMillis[bucket] = nowMillis + TRIM_INTERVAL.toMillis();
    }
    return empty.add(nowMillis - keepMillis).add(trims ? TRIM_MAX : 0);
  }

  /**
   * Adds a rider to the arguments of a call. Its position is the record's JSON with one more
   * member, the record's origin.
   *
   * @param view of record {@code i} of the batch
   * @param records contains its JSON, from start to end
   */
  void add(
      Batch batch,
      int i,
      EventView view,
      byte[] records,
      int start,
      int end,
      ScriptArguments arguments) {
    arguments.add(view.bytes(), view.offset(EventField.RIDER_ID), view.length(EventField.RIDER_ID));
    arguments.add(view.at());
    if (Math.abs(view.lat()) <= GEO_LAT_MAX) {
      number(view.lon(), arguments);
      number(view.lat(), arguments);
    } else {
      arguments.add("").add("");
    }
    text.clear();
    text.raw(records, start, end - start - 1).ascii(",\"recordId\":\"");
    batch.writeId(i, text).ascii("\"}");
    arguments.add(text.bytes(), 0, text.size());
  }

  private void number(double value, ScriptArguments arguments) {
    text.clear();
    text.number(value);
    arguments.add(text.bytes(), 0, text.size());
  }

  /** The number of riders in the arguments of a call. */
  static int riders(ScriptArguments arguments) {
    return (arguments.count() - OTHER_ARGUMENTS) / RIDER_ARGUMENTS;
  }

  /** Makes the call from the arguments. */
  TransferPart part(int bucket, ScriptArguments arguments) {
    return new TransferPart(
        RedisCall.of(MOVE, keys.get(bucket), arguments), riders(arguments), bucket);
  }

  /**
   * Reads the script's answer. If the script forgot as many as it may, the next call forgets more.
   */
  PartOutcome outcome(TransferPart part, RedisReply reply) {
    if (reply instanceof RedisReply.Many(List<RedisReply> numbers)
        && numbers.size() == 2
        && numbers.get(0) instanceof RedisReply.Whole(long looked)
        && numbers.get(1) instanceof RedisReply.Whole(long forgotten)
        && looked == part.count()) {
      if (forgotten >= TRIM_MAX) {
        trimAtMillis[part.bucket()] = 0;
      }
      return new PartOutcome(part.count(), null, "", "");
    }
    return PartOutcome.none(reply);
  }
}
