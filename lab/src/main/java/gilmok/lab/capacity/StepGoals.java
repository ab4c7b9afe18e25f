package gilmok.lab.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a step must keep to hold. Immutable.
 *
 * @param p99Millis the highest p99, from when each request was due
 * @param errorShare the highest share of requests that were not answered as they should be, 0 to 1
 * @param processorShare the highest share of the processors that the server may use, 0 to 1
 */
record StepGoals(double p99Millis, double errorShare, double processorShare) {
  /** So much of the p99 may requests leave late before the load itself is in doubt. */
  private static final double LATE_PART = 0.2;

  /** So many of them may. */
  private static final double LATE_SHARE = 0.01;

  /** From how many milliseconds on a request counts as sent late. */
  double lateMillis() {
    return LATE_PART * p99Millis;
  }

  /** Why a step says nothing about the server; empty if it does. */
  String voidness(LoadStep.Load load) {
    List<String> why = new ArrayList<>();
    if (load.lateShare() > LATE_SHARE) {
      why.add(
          String.format(
              Locale.ROOT,
              "the load was late: %.1f %% of its requests left over %.1f ms after they were due",
              100 * load.lateShare(),
              lateMillis()));
    }
    if (load.neverSent() > 0) {
      why.add(String.format(Locale.ROOT, "%,d requests were due and never sent", load.neverSent()));
    }
    if (load.duplicates() > 0) {
      why.add(
          String.format(Locale.ROOT, "%,d new records were taken for repeats", load.duplicates()));
    }
    return String.join("; ", why);
  }

  /** Which goals were missed, in words. */
  List<String> missed(LoadStep.Rates rates, double p99, LoadStep.Cores cores, int processors) {
    List<String> missed = new ArrayList<>();
    if (p99 > p99Millis) {
      missed.add(String.format(Locale.ROOT, "p99 %.1f ms, over %.0f", p99, p99Millis));
    }
    if (rates.errorShare() > errorShare) {
      missed.add(
          String.format(
              Locale.ROOT,
              "errors %.3f %%, over %.3f",
              100 * rates.errorShare(),
              100 * errorShare));
    }
    double used = cores.server() / Math.max(1, processors);
    if (used > processorShare) {
      missed.add(
          String.format(
              Locale.ROOT,
              "processors %.0f %% used by the server, over %.0f",
              100 * used,
              100 * processorShare));
    }
    return missed;
  }
}
