package gilmok.doctor;

import java.util.Locale;

/**
 * What a container asked for of the processors, reckoned back from the weight that became of it.
 * Runtimes make a weight of cgroup v2 in two ways: linearly, and since runc 1.3.2 and crun 1.23 by
 * a curve that keeps the kernel's defaults, 1024 shares and a weight of 100, together. The weight
 * does not tell which it was. Immutable.
 *
 * @param weight {@code cpu.weight} of v2, {@code cpu.shares} of v1; above 0
 * @param isSecond whether it is that of v2
 */
record ProcessorRequest(long weight, boolean isSecond) {
  private static final double SHARES_IN_PROCESSOR = 1024;
  private static final double SHARES_MIN = 2;
  private static final long SHARES_USUAL = 1024;
  private static final long WEIGHT_USUAL = 100;

  /** A request that is that much of what is wanted is enough: weights are rounded. */
  private static final double ENOUGH = 0.9;

  private static final double SHOWN_MIN = 0.05;

  /** Whether the weight is what the kernel gives a group of which nobody asked for anything. */
  boolean isUsual() {
    return weight == (isSecond ? WEIGHT_USUAL : SHARES_USUAL);
  }

  /** The processors that were asked for, if an older runtime made the weight. */
  double linear() {
    double shares = isSecond ? SHARES_MIN + (weight - 1) * 262_142 / 9_999.0 : weight;
    return shares / SHARES_IN_PROCESSOR;
  }

  /** The processors that were asked for, if a newer runtime did; never more than the other. */
  double curved() {
    if (!isSecond) {
      return linear();
    }
    // weight = 10 ^ ((l² + 125 l) / 612 - 7 / 34), where l is the logarithm of the shares to base 2
    double square = 612 * (Math.log10((double) weight) + 7 / 34.0);
    double logarithm = (Math.sqrt(125 * 125 + 4 * square) - 125) / 2;
    return Math.pow(2, logarithm) / SHARES_IN_PROCESSOR;
  }

  /**
   * Whether that is enough: one processor, or the limit where that is less.
   *
   * @param limit in processors; 0 for none
   */
  Check check(double limit) {
    double wanted = ENOUGH * (limit > 0 ? Math.min(1, limit) : 1);
    String advice =
        limit > 0
            ? "raise the container's request (resources.requests.cpu) towards its limit: on a busy"
                + " node it gets no more than it asked for"
            : "raise the container's request (resources.requests.cpu; CPUWeight= in systemd) to one"
                + " processor or more: on a busy node it gets no more than it asked for, though"
                + " Java sees all processors, and without a limit nothing counts as throttled";
    String what = "processors asked for";
    if (curved() < wanted && linear() >= wanted) {
      return Check.unknown(
          what, seen(), "if runc 1.3.2, crun 1.23 or a newer one has started it, " + advice);
    }
    return Check.of(what, seen(), linear() >= wanted, advice);
  }

  private String seen() {
    String older = shown(linear());
    String newer = shown(curved());
    return older.equals(newer) ? older : older + "; " + newer + " by runc 1.3.2 or newer";
  }

  private static String shown(double processors) {
    return processors < SHOWN_MIN
        ? "next to none"
        : String.format(Locale.ROOT, "about %.1f", processors);
  }
}
