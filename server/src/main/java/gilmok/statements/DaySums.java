package gilmok.statements;

import java.util.SortedSet;
import java.util.TreeSet;

/** Sums by day, being made. Not thread-safe: of one thread at a time. */
public final class DaySums {
  private final int[] counts;
  private final long[] fees;
  private final long[] incentives;
  private final long[] deductions;
  private final long[] distances;
  private final SortedSet<String> otherCurrencies = new TreeSet<>();

  /** Nothing yet, for so many days. */
  public DaySums(int days) {
    counts = new int[days];
    fees = new long[days];
    incentives = new long[days];
    deductions = new long[days];
    distances = new long[days];
  }

  /** One entry more on that day. */
  public void add(int day, EntryKind kind, long amount, long distance) {
    add(day, kind, 1, amount, distance);
  }

  /**
   * Entries of one kind more.
   *
   * @throws ArithmeticException when a sum is larger than a long
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

  /** There are entries of another currency as well, which are not in these sums. */
  public void leaveOut(String currency) {
    otherCurrencies.add(currency);
  }

  /** The currencies of what was left out. */
  public SortedSet<String> otherCurrencies() {
    return otherCurrencies;
  }

  /** How many days. */
  public int days() {
    return counts.length;
  }

  /** How many entries that day has. */
  public int count(int day) {
    return counts[day];
  }

  /** What that day's deliveries brought. */
  public long fee(int day) {
    return fees[day];
  }

  /** What came on top. */
  public long incentive(int day) {
    return incentives[day];
  }

  /** What was taken off, not negative. */
  public long deduction(int day) {
    return deductions[day];
  }

  /** What is left: fee and incentive without the deduction; may be negative. */
  public long net(int day) {
    return fees[day] + incentives[day] - deductions[day];
  }

  /** Whole millimetres. */
  public long distance(int day) {
    return distances[day];
  }
}
