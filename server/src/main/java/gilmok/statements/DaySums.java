package gilmok.statements;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Sums of entries by day, in one currency. Mutable and not thread-safe: used by one thread at a
 * time.
 */
public final class DaySums {
  private final int[] counts;
  private final long[] fees;
  private final long[] incentives;
  private final long[] deductions;
  private final long[] distances;
  private final SortedSet<String> otherCurrencies = new TreeSet<>();

  /** Sums of 0 for this number of days. */
  public DaySums(int days) {
    counts = new int[days];
    fees = new long[days];
    incentives = new long[days];
    deductions = new long[days];
    distances = new long[days];
  }

  /** Adds an entry to a day. */
  public void add(int day, EntryKind kind, long amount, long distance) {
    add(day, kind, 1, amount, distance);
  }

  /**
   * Adds several entries of one kind to a day.
   *
   * @param count the number of entries
   * @param amount their sum, in whole minor units
   * @param distance their sum, in whole millimetres
   * @throws ArithmeticException when a sum exceeds a long
   */
  public void add(int day, EntryKind kind, int count, long amount, long distance) {
    counts[day] += count;
    long[] sums =
        switch (kind) {
          case FEE -> fees;
          case INCENTIVE -> incentives;
          case DEDUCTION -> deductions;
        };
    sums[day] = Math.addExact(sums[day], amount);
    distances[day] = Math.addExact(distances[day], distance);
  }

  /** Notes that entries of another currency exist, which are not in these sums. */
  public void leaveOut(String currency) {
    otherCurrencies.add(currency);
  }

  /** The currencies of the entries left out. */
  public SortedSet<String> otherCurrencies() {
    return otherCurrencies;
  }

  /** The number of days. */
  public int days() {
    return counts.length;
  }

  /** The number of a day's entries. */
  public int count(int day) {
    return counts[day];
  }

  /** A day's fees, in whole minor units. */
  public long fee(int day) {
    return fees[day];
  }

  /** A day's incentives, in whole minor units. */
  public long incentive(int day) {
    return incentives[day];
  }

  /** A day's deductions, in whole minor units; not negative. */
  public long deduction(int day) {
    return deductions[day];
  }

  /** A day's fees and incentives minus deductions, in whole minor units; may be negative. */
  public long net(int day) {
    return fees[day] + incentives[day] - deductions[day];
  }

  /** A day's distance, in whole millimetres. */
  public long distance(int day) {
    return distances[day];
  }
}
