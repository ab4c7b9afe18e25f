package gilmok.lab.history;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * A made-up fleet: who rides when in a month, and what a phone says at each step of it. All of it
 * follows from a seed, so nothing is kept. Immutable.
 */
final class MadeFleet {
  static final int DAYS = 31;
  static final int FIRST_HOUR = 10;

  /** Late and repeated positions come in until this hour. */
  static final int LAST_HOUR = 23;

  static final long HOUR_MILLIS = 3_600_000;
  static final LocalDate FIRST_DAY = LocalDate.of(2026, 3, 1);

  /** How many hours later an hour without a network arrives. */
  static final int LATE_HOURS = 3;

  private static final int RIDING_HOURS = 8;
  private static final int SHIFTS = 5;
  private static final long USUAL_STEP_MILLIS = 9000;
  private static final long DENSE_STEP_MILLIS = 1000;
  private static final int POSITIONS_OF_USUAL = DAYS * RIDING_HOURS * 400;
  private static final int POSITIONS_OF_DENSE = DAYS * RIDING_HOURS * 3600;

  private final long seed;
  private final int usual;
  private final byte[][] ids;

  /** A fleet with about so many positions in its month; the last rider has one each second. */
  MadeFleet(long positions, long seed) {
    this.seed = seed;
    usual = (int) Math.max(8, (positions - POSITIONS_OF_DENSE) / POSITIONS_OF_USUAL);
    ids = new byte[usual + 1][];
    for (int rider = 0; rider < usual; rider++) {
      ids[rider] = utf8(String.format(Locale.ROOT, "r-%05d", rider));
    }
    ids[usual] = utf8("r-dense");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Riders are numbered from 0 on, in the order of their ids. */
  int riders() {
    return ids.length;
  }

  byte[] id(int rider) {
    return ids[rider];
  }

  /** How many positions a rider has in an hour of riding. */
  int steps(int rider) {
    return (int) (HOUR_MILLIS / stepMillis(rider));
  }

  private long stepMillis(int rider) {
    return rider == usual ? DENSE_STEP_MILLIS : USUAL_STEP_MILLIS;
  }

  /** The first instant of an hour of a day, epoch ms. */
  static long hourMillis(int day, int hour) {
    Instant midnight = FIRST_DAY.plusDays(day).atStartOfDay(ZoneOffset.UTC).toInstant();
    return midnight.toEpochMilli() + hour * HOUR_MILLIS;
  }

  boolean rides(int rider, int hour) {
    int first = FIRST_HOUR + (int) Long.remainderUnsigned(mix(rider, 1), SHIFTS);
    return hour >= first && hour < first + RIDING_HOURS;
  }

  /** Whether an hour of riding has no network, and arrives late. */
  boolean isLate(int rider, int day, int hour) {
    return rider != usual && hour <= LAST_HOUR - LATE_HOURS && one(rider, day, hour, 2, 200);
  }

  /** Whether the end of an hour is sent again in the next one. */
  boolean isRepeated(int rider, int day, int hour) {
    return rider != usual && !isLate(rider, day, hour) && one(rider, day, hour, 3, 300);
  }

  private boolean one(int rider, int day, int hour, int what, int of) {
    return Long.remainderUnsigned(mix(rider, (day * 24L + hour) * 8 + what), of) == 0;
  }

  /** Sets what a phone said at a step of an hour. */
  void set(PositionRow row, int rider, int day, int hour, int step) {
    long hours = day * 24L + hour;
    long random = mix(rider, (hours << 16) + step + 0x1000_0000_0000L);
    long other = mix(random, step);
    row.happenedAt = hourMillis(day, hour) + step * stepMillis(rider) + (random & 0x3ff) % 1000;
    row.keyHigh = random;
    row.keyLow = other;
    row.latE7 = place(rider, hours, step, 4, 374_500_000, 1_500_000, random);
    row.lonE7 = place(rider, hours, step, 5, 1_268_500_000, 3_000_000, other);
    row.accuracyTenths = 30 + (int) (random >>> 40 & 0x7f);
    row.speedTenths = (int) (other >>> 40 & 0x7f);
    row.bearing = (int) ((random >>> 50) % 360);
    row.altitudeTenths = 200 + (int) (other >>> 50 & 0xff);
    row.batteryHundredths = 100 - (int) (hours * 11 % 80) - step * 10 / steps(rider);
    long delivery = mix(rider, hours * 3 + step * 3L / steps(rider) + 0x2000_0000_0000L);
    row.delivery = delivery % 10 < 6 ? Long.remainderUnsigned(delivery, 100_000_000) : -1;
  }

  /** Goes from one place of the city to another each hour, with a phone's error of some metres. */
  private int place(int rider, long hours, int step, int axis, int least, int width, long random) {
    long from = Long.remainderUnsigned(mix(rider, hours * 8 + axis), width);
    long to = Long.remainderUnsigned(mix(rider, (hours + 1) * 8 + axis), width);
    long error = (random >>> 20 & 0x1ff) - 256;
    return (int) (least + from + (to - from) * step / steps(rider) + error);
  }

  /** The finalizer of SplitMix64 over both. */
  private long mix(long one, long other) {
    long mixed = seed + one * 0x9e3779b97f4a7c15L + other * 0xd1342543de82ef95L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
