package gilmok.ship.redis;

import gilmok.event.EventView;
import gilmok.event.Field;
import gilmok.redis.Call;
import gilmok.redis.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Where everybody's latest position stands in Redis, and the script that moves it. The riders are
 * spread over buckets; the keys of one bucket share a hash tag, so that a script may touch them all
 * in a cluster too.
 *
 * <p>Not thread-safe: owned by the sink.
 */
final class LatestKeys {
  /** Most riders that one script forgets: bounded work. */
  static final int TRIM_MAX = 100;

  private static final Duration TRIM_INTERVAL = Duration.ofMinutes(1);

  /**
   * KEYS: positions, at, geo. ARGV: forget those before (ms), at most so many; then for each rider
   * rider, at, lon, lat, position (lon empty: not to be indexed). Moves a rider unless its fix is
   * older than the known one, as the server's own latest positions do. Answers how many riders it
   * looked at, and how many it forgot.
   *
   * <p>The time is set last: if anything before fails, the next attempt moves the rider again.
   */
  private static final Script MOVE =
      new Script(
          """
          local positions, at, geo = KEYS[1], KEYS[2], KEYS[3]
          local forgotten = 0
          local most = tonumber(ARGV[2])
          if most > 0 then
            local old = redis.call('ZRANGEBYSCORE', at, '-inf', '(' .. ARGV[1], 'LIMIT', 0, most)
            for _, rider in ipairs(old) do
              redis.call('HDEL', positions, rider)
              redis.call('ZREM', geo, rider)
              redis.call('ZREM', at, rider)
              forgotten = forgotten + 1
            end
          end
          local looked = 0
          for i = 3, #ARGV, 5 do
            local rider, fix = ARGV[i], ARGV[i + 1]
            local known = redis.call('ZSCORE', at, rider)
            if not known or tonumber(fix) >= tonumber(known) then
              redis.call('HSET', positions, rider, ARGV[i + 4])
              if ARGV[i + 2] == '' then
                redis.call('ZREM', geo, rider)
              else
                redis.call('GEOADD', geo, ARGV[i + 2], ARGV[i + 3], rider)
              end
              redis.call('ZADD', at, fix, rider)
            end
            looked = looked + 1
          end
          return {looked, forgotten}
          """);

  /** Redis' geo index ends here, as Web Mercator does (GEOADD); riders beyond are not in it. */
  private static final double GEO_LAT_MAX = 85.05112878;

  private static final byte[] NO_PLACE = {};

  private final List<List<byte[]>> keys = new ArrayList<>();
  private final long[] trimAtMillis;
  private final long keepMillis;
  private final CRC32 crc = new CRC32();

  LatestKeys(String prefix, int buckets, Duration keep) {
    for (int bucket = 0; bucket < buckets; bucket++) {
      String tagged = prefix + ":{b" + bucket + "}:";
      keys.add(
          List.of(
              Call.utf8(tagged + "positions"),
              Call.utf8(tagged + "at"),
              Call.utf8(tagged + "geo")));
    }
    trimAtMillis = new long[buckets];
    keepMillis = keep.toMillis();
  }

  /** The rider's bucket: CRC-32 of its UTF-8 modulo the number of buckets. */
  int bucket(EventView view) {
    crc.reset();
    crc.update(view.bytes(), view.offset(Field.RIDER_ID), view.length(Field.RIDER_ID));
    return (int) (crc.getValue() % keys.size());
  }

  /** Whether a fix is so old that its rider would be forgotten at once. */
  boolean isForgotten(long at, long nowMillis) {
    return at < nowMillis - keepMillis;
  }

  /** Adds a rider to the arguments of a call. */
  static void add(EventView view, byte[] rider, byte[] position, List<byte[]> arguments) {
    boolean indexed = Math.abs(view.lat()) <= GEO_LAT_MAX;
    arguments.add(rider);
    arguments.add(Call.utf8(Long.toString(view.at())));
    arguments.add(indexed ? Call.utf8(Double.toString(view.lon())) : NO_PLACE);
    arguments.add(indexed ? Call.utf8(Double.toString(view.lat())) : NO_PLACE);
    arguments.add(position);
  }

  /** The call for one bucket. Now and then it has to forget the oldest, too. */
  Call call(int bucket, List<byte[]> riders, long nowMillis) {
    boolean trims = nowMillis >= trimAtMillis[bucket];
    if (trims) {
      trimAtMillis[bucket] = nowMillis + TRIM_INTERVAL.toMillis();
    }
    List<byte[]> arguments = new ArrayList<>(riders.size() + 2);
    arguments.add(Call.utf8(Long.toString(nowMillis - keepMillis)));
    arguments.add(Call.utf8(Integer.toString(trims ? TRIM_MAX : 0)));
    arguments.addAll(riders);
    return Call.of(MOVE, keys.get(bucket), arguments);
  }

  /** How many were forgotten: if it was the most, there may be more, for the next call. */
  void trimmed(int bucket, long forgotten) {
    if (forgotten >= TRIM_MAX) {
      trimAtMillis[bucket] = 0;
    }
  }
}
