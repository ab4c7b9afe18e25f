package gilmok.lab.cost;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of a demand, its nodes and its bills, in Markdown. Pure functions. */
final class CostText {
  private static final double MILLION = 1e6;

  private CostText() {}

  /** What is sent, and what takes it. */
  static List<String> sizing(FleetDemand demand, NodeSizing sizing) {
    List<String> lines = new ArrayList<>();
    lines.add("| Needed | For this fleet |");
    lines.add("|---|---|");
    lines.add(
        String.format(
            Locale.ROOT,
            "| sent | %,.0f positions/s in %,.0f requests/s; %,.0f million positions a month |",
            demand.positionsPerSecond(),
            demand.requestsPerSecond(),
            demand.positionsPerMonth() / MILLION));
    lines.add(
        String.format(
            Locale.ROOT,
            "| a node of 2 processors takes | %,.0f requests/s: %,.0f riders at %s, %,.0f at %s |",
            sizing.safeRequests(),
            sizing.riders(demand.batch(), demand.every()),
            text(demand.every()),
            sizing.riders(demand.batch(), demand.every().multipliedBy(2)),
            text(demand.every().multipliedBy(2))));
    lines.add(
        String.format(
            Locale.ROOT,
            "| nodes | %d: %d for the rate, %d to spare |",
            sizing.nodes(),
            sizing.needed(),
            sizing.spare()));
    lines.add(
        String.format(
            Locale.ROOT, "| memory of each | %,d MiB, half of it heap |", sizing.memoryMib()));
    lines.add(
        String.format(
            Locale.ROOT,
            "| volume of each | %,d GB: the log of %s days |",
            sizing.diskGb(),
            Assumptions.text(sizing.logDays())));
    return lines;
  }

  /** Both bills. */
  static List<String> bill(FleetDemand demand, MonthlyBill bill) {
    List<String> lines = new ArrayList<>();
    lines.add("| A month, in dollars | Gilmok | Gateway, functions | Of |");
    lines.add("|---|---|---|---|");
    for (MonthlyBill.Part part : bill.parts()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s | %s |",
              part.what(),
              dollars(part.gilmok()),
              dollars(part.gateway()),
              part.how()));
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "| **together** | **%,.2f** | **%,.2f** | |",
            bill.gilmok(),
            bill.gateway()));
    double millions = demand.positionsPerMonth() / MILLION;
    lines.add(
        String.format(
            Locale.ROOT,
            "| a million positions | %.3f | %.3f | |",
            bill.gilmok() / millions,
            bill.gateway() / millions));
    lines.add(
        String.format(
            Locale.ROOT,
            "| a rider | %.4f | %.4f | |",
            bill.gilmok() / demand.riders(),
            bill.gateway() / demand.riders()));
    return lines;
  }

  private static String dollars(double amount) {
    return amount == 0 ? "0" : String.format(Locale.ROOT, "%,.2f", amount);
  }

  private static String text(Duration every) {
    return Assumptions.text(every.toMillis() / 1000.0) + " s";
  }
}
