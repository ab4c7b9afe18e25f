package gilmok.lab.capacity;

import java.util.Locale;

/** A report in a few lines, for the terminal. Stateless. */
final class CapacityText {
  private CapacityText() {}

  static String of(CapacityReport report) {
    String unit = report.environment().unit();
    CapacityReport.Limit limit = report.limit();
    StringBuilder out = new StringBuilder();
    if (limit.units() == 0) {
      line(out, "limit", limit.voidness());
    } else {
      CapacityReport.Range p99 = limit.range(LoadStep::p99);
      line(
          out,
          "limit",
          String.format(
              Locale.ROOT,
              "%,.0f %s/s with p99 %.1f to %.1f ms (%,.0f/s did not hold)",
              limit.units(),
              unit,
              p99.least(),
              p99.most(),
              limit.above()));
      line(out, "ends by", limit.cause().getFirst().line());
      CapacityReport.Range cost = limit.range(LoadStep::secondsPerMillion);
      line(
          out,
          "costs",
          String.format(
              Locale.ROOT,
              "%.1f processor-seconds a million %s (%.1f to %.1f)",
              cost.median(),
              unit,
              cost.least(),
              cost.most()));
      line(
          out,
          "safe",
          String.format(
              Locale.ROOT,
              "%,.0f %s/s, held for %.1f min: p99 %.1f ms, heap %+.2f MB a minute%s",
              limit.safe(),
              unit,
              report.hold().minutes(),
              report.hold().step().p99(),
              report.hold().heapSlope(),
              report.hold().moved().isEmpty()
                  ? ""
                  : "; moved: " + String.join("; ", report.hold().moved())));
    }
    for (CapacityReport.Overload overload : report.overloads()) {
      line(
          out,
          String.format(Locale.ROOT, "at %.0f %%", 100 * overload.factor()),
          String.format(
              Locale.ROOT,
              "%.2f of the limit accepted; health longest %.0f ms, %d failed; p99 kept again after"
                  + " %.0f s%s",
              overload.goodput(),
              overload.health().mostMillis(),
              overload.health().failed(),
              overload.recoverySeconds(),
              overload.step().voidness().isEmpty() ? "" : "; " + overload.step().voidness()));
    }
    CapacityReport.Account account = report.account();
    line(
        out,
        "account",
        String.format(
            Locale.ROOT,
            "%,d acknowledged, %,d stored: %,d missing; residue %d",
            account.acknowledged(),
            account.stored(),
            account.missing(),
            account.residue()));
    for (CapacityReport.Peer peer : report.peers()) {
      line(
          out,
          peer.name(),
          String.format(
              Locale.ROOT,
              "%,.0f %s/s: this is %.2f times that",
              peer.units(),
              unit,
              limit.units() / Math.max(1, peer.units())));
    }
    if (!limit.voidness().isEmpty()) {
      line(out, "VOID", limit.voidness());
    }
    return out.toString();
  }

  private static void line(StringBuilder out, String name, String text) {
    out.append(String.format(Locale.ROOT, "%-8s %s%n", name, text));
  }
}
