package gilmok.audit;

import java.util.random.RandomGenerator;

/**
 * The ids of entries: the time in ms as 12 hexadecimal digits, a dash and 12 random ones. So ids
 * sort by time, and a span of time is a range of ids.
 */
final class AuditId {
  private static final int TIME_DIGITS = 12;
  private static final long RANDOM_BITS = (1L << 48) - 1;

  private AuditId() {}

  static String of(long millis, RandomGenerator random) {
    return "%s-%012x".formatted(from(millis), random.nextLong() & RANDOM_BITS);
  }

  /** The lowest id of that time, epoch ms from 0 on. */
  static String from(long millis) {
    return "%012x".formatted(millis);
  }

  /** The time of an id. */
  static long millis(String id) {
    return Long.parseLong(id.substring(0, TIME_DIGITS), 16);
  }

  static boolean isOne(String text) {
    return text.matches("[0-9a-f]{12}-[0-9a-f]{12}");
  }
}
