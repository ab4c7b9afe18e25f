package gilmok.positions;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * What is known of each rider besides the event, by the rider's number, in columns of primitives:
 * 16 bytes a rider. The columns are cut into pages, so that growing copies none.
 *
 * <p>One thread changes them; any thread reads. the package's page says in which order.
 */
final class RiderColumns {
  /**
   * The sequence of a number without a rider. It is newer than any other, so no reader is sent it.
   */
  static final long FORGOTTEN = Long.MAX_VALUE;

  private static final int PAGE_BITS = 13;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final long SECOND_MILLIS = 1000;

  /** The arrival of a number without a rider, later than all others. */
  private static final int NEVER = -1;

  private static final long SECONDS_MAX = 0xFFFF_FFFEL;
  private static final VarHandle SEQUENCES = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(int[].class);

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Page(long[] sequences, int[] places, int[] arrivedSeconds) {}

  private volatile Page[] pages = {};

  /** Makes room for a rider. */
  void reach(int number) {
    Page[] present = pages;
    int wanted = (number >>> PAGE_BITS) + 1;
    if (wanted > present.length) {
      Page[] more = Arrays.copyOf(present, wanted);
      for (int i = present.length; i < wanted; i++) {
        more[i] = new Page(new long[PAGE], new int[PAGE], new int[PAGE]);
        Arrays.fill(more[i].sequences, FORGOTTEN);
      }
      pages = more;
    }
  }

  /** Read with acquire. */
  long sequence(int number) {
    return (long) SEQUENCES.getAcquire(page(number).sequences, number & (PAGE - 1));
  }

  /** Written with release. */
  void sequence(int number, long sequence) {
    SEQUENCES.setRelease(page(number).sequences, number & (PAGE - 1), sequence);
  }

  /** The highest sequence of any rider; 0 if there is none. */
  long newest(int numbers) {
    long newest = 0;
    for (int number = 0; number < numbers; number++) {
      long sequence = sequence(number);
      newest = sequence == FORGOTTEN ? newest : Math.max(newest, sequence);
    }
    return newest;
  }

  /** Where the event is; read with acquire. */
  int place(int number) {
    return (int) PLACES.getAcquire(page(number).places, number & (PAGE - 1));
  }

  /** Written with release. */
  void place(int number, int place) {
    PLACES.setRelease(page(number).places, number & (PAGE - 1), place);
  }

  /** When the position arrived, epoch ms, rounded up to a second. */
  long arrivedMillis(int number) {
    int seconds = page(number).arrivedSeconds[number & (PAGE - 1)];
    return Integer.toUnsignedLong(seconds) * SECOND_MILLIS;
  }

  void arrivedMillis(int number, long millis) {
    page(number).arrivedSeconds[number & (PAGE - 1)] = (int) seconds(millis);
  }

  /** Says that there is no rider with this number. */
  void neverArrives(int number) {
    page(number).arrivedSeconds[number & (PAGE - 1)] = NEVER;
  }

  /**
   * The next number whose position arrived before a time.
   *
   * @param from the first number to look at
   * @param to the number after the last one; returned when there is none
   */
  int nextArrivedBefore(long millis, int from, int to) {
    int limit = (int) seconds(millis) + Integer.MIN_VALUE;
    for (int number = from; number < to; ) {
      int[] arrived = page(number).arrivedSeconds;
      int end = Math.min(to, (number | (PAGE - 1)) + 1);
      for (; number < end; number++) {
        if (arrived[number & (PAGE - 1)] + Integer.MIN_VALUE < limit) { // as unsigned numbers
          return number;
        }
      }
    }
    return to;
  }

  private static long seconds(long millis) {
    return Math.clamp(Math.ceilDiv(millis, SECOND_MILLIS), 0, SECONDS_MAX);
  }

  private Page page(int number) {
    return pages[number >>> PAGE_BITS];
  }
}
