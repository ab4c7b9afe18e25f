package gilmok.lab.capacity;

import gilmok.lab.report.LinePlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as one HTML page, which needs no other file and no network. Stateless. */
final class CapacityPage {
  private static final String STYLE =
      """
      body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}
      h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}
      .answer{background:#eef6f7;border-left:5px solid #2a7f8e;padding:.8rem 1.2rem;font-size:1.15rem}
      .void{background:#fbeee8;border-color:#c1572b}
      table{border-collapse:collapse;width:100%;font-size:13px;margin:.5rem 0}
      th,td{border-bottom:1px solid #ddd;padding:.25rem .5rem;text-align:right;vertical-align:top}
      th:first-child,td:first-child,td.text{text-align:left}
      .good{color:#2d6a2d}.bad{color:#a33b12}svg{max-width:100%;height:auto}
      code{overflow-wrap:anywhere}
      """;
  private static final List<String> PERCENTILES =
      List.of("p50", "p90", "p99", "p99.9", "p99.99", "max");

  private CapacityPage() {}

  static String render(CapacityReport report) {
    StringBuilder page = new StringBuilder();
    String title = "Capacity: " + report.environment().scenario();
    page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>")
        .append(escaped(title))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style></head><body>\n<h1>")
        .append(escaped(title))
        .append("</h1>\n");
    answer(page, report);
    page.append("<p>").append(escaped(report.environment().data())).append(".</p>\n");
    causes(page, report);
    steps(page, report);
    hold(page, report);
    overloads(page, report);
    account(page, report);
    page.append("<h2>All resources over time</h2>\n")
        .append(LinePlot.render(CapacityPlots.overTime(report)));
    environment(page, report);
    return page.append("</body></html>\n").toString();
  }

  private static void answer(StringBuilder page, CapacityReport report) {
    CapacityReport.Limit limit = report.limit();
    boolean isVoid = !limit.voidness().isEmpty();
    page.append("<p class=\"answer").append(isVoid ? " void" : "").append("\">");
    if (isVoid) {
      page.append("<b>This figure says nothing about the server</b>: ")
          .append(escaped(limit.voidness()))
          .append(".<br>");
    }
    String unit = report.environment().unit();
    CapacityReport.Range rates = limit.range(step -> step.rates().units());
    CapacityReport.Range p99 = limit.range(LoadStep::p99);
    CapacityReport.Range cost = limit.range(LoadStep::secondsPerMillion);
    page.append(
        String.format(
            Locale.ROOT,
            "<b>%,.0f %s a second</b> with p99 %.1f ms (%.1f to %.1f in %d repeats, which achieved"
                + " %,.0f to %,.0f/s); %,.0f/s did not hold.<br>What ends it: <b>%s</b>.<br>Safe:"
                + " <b>%,.0f</b> a second. A million %s cost %.1f processor-seconds (%.1f to"
                + " %.1f).</p>%n",
            limit.units(),
            escaped(unit),
            p99.median(),
            p99.least(),
            p99.most(),
            limit.repeats().size(),
            rates.least(),
            rates.most(),
            limit.above(),
            escaped(limit.cause().getFirst().resource().label()),
            limit.safe(),
            escaped(unit),
            cost.median(),
            cost.least(),
            cost.most()));
  }

  private static void causes(StringBuilder page, CapacityReport report) {
    page.append(
        "<h2>What ends it</h2>\n<p>Looked at while the goals were missed, a little above the"
            + " limit. 100 % is where a resource counts as full; the first that is full is named,"
            + " the special before the general.</p>\n<table><tr><th>resource</th><th>full</th>"
            + "<th>evidence</th></tr>\n");
    boolean isFirst = true;
    for (Suspects.Suspect suspect : report.limit().cause()) {
      String label = escaped(suspect.resource().label());
      page.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s</td><td class=\"%s\">%.0f %%</td><td class=\"text\">%s</td></tr>%n",
              isFirst ? "<b>" + label + "</b>" : label,
              suspect.isFull() ? "bad" : "",
              100 * suspect.fullness(),
              escaped(suspect.evidence())));
      isFirst = false;
    }
    page.append("</table>\n");
  }

  private static void steps(StringBuilder page, CapacityReport report) {
    page.append("<h2>Latency by rate</h2>\n").append(LinePlot.render(CapacityPlots.byRate(report)));
    page.append(
        "<h2>Every step</h2>\n<table><tr><th>step</th><th>offered/s</th><th>answered/s</th>");
    PERCENTILES.forEach(name -> page.append("<th>").append(name).append("</th>"));
    page.append(
        "<th>left late</th><th>server</th><th>load</th><th>others</th><th>goals</th></tr>\n");
    for (LoadStep step : report.steps()) {
      page.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s</td><td>%,.0f</td><td>%,.0f</td>",
              step.what(),
              step.rates().offered(),
              step.rates().achieved()));
      PERCENTILES.forEach(
          name ->
              page.append(
                  String.format(
                      Locale.ROOT, "<td>%.2f</td>", step.latencyMillis().getOrDefault(name, 0.0))));
      page.append(
          String.format(
              Locale.ROOT,
              "<td>%.2f %%</td><td>%.2f</td><td>%.2f</td><td>%.2f</td>%s</tr>%n",
              100 * step.load().lateShare(),
              step.cores().server(),
              step.cores().load(),
              step.cores().others(),
              verdict(step)));
    }
    page.append(
        "</table>\n<p>Exchanges and milliseconds; processors. \"Left late\" is the load's own"
            + " fault; a step in which that was much says nothing about the server.</p>\n");
    flows(page, report);
  }

  private static String verdict(LoadStep step) {
    List<String> why = new ArrayList<>(step.missed());
    if (!step.voidness().isEmpty()) {
      why.add("void: " + step.voidness());
    }
    step.errors()
        .forEach((kind, count) -> why.add(String.format(Locale.ROOT, "%,d × %s", count, kind)));
    return step.holds()
        ? "<td class=\"text good\">kept</td>"
        : "<td class=\"text bad\">" + escaped(String.join("; ", why)) + "</td>";
  }

  private static void flows(StringBuilder page, CapacityReport report) {
    if (report.limit().repeats().isEmpty()
        || report.limit().repeats().getFirst().flows().size() < 2) {
      return;
    }
    page.append(
        "<h2>By kind of request, at the highest rate</h2>\n<table><tr><th>kind</th><th>priority"
            + "</th><th>offered/s</th><th>answered/s</th><th>p99 ms</th></tr>\n");
    for (LoadStep.Flow flow : report.limit().repeats().getFirst().flows()) {
      page.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s</td><td>%s</td><td>%,.0f</td><td>%,.0f</td><td>%.2f</td></tr>%n",
              escaped(flow.name()),
              flow.priority().toLowerCase(Locale.ROOT),
              flow.offered(),
              flow.achieved(),
              flow.p99Millis()));
    }
    page.append("</table>\n");
  }

  private static void hold(StringBuilder page, CapacityReport report) {
    CapacityReport.Hold hold = report.hold();
    page.append(
        String.format(
            Locale.ROOT,
            "<h2>The safe rate, held for %.1f minutes</h2>%n<p class=\"%s\">%s. The heap after a"
                + " collection grew by %+.2f MB a minute.</p>%n<table><tr><th></th><th>first"
                + " fifth</th><th>last fifth</th></tr>%n",
            hold.minutes(),
            hold.moved().isEmpty() ? "good" : "bad",
            hold.moved().isEmpty()
                ? "The end was like the beginning, within a tenth"
                : "It moved: " + escaped(String.join("; ", hold.moved())),
            hold.heapSlope()));
    hold.first()
        .forEach(
            (name, value) ->
                page.append(
                    String.format(
                        Locale.ROOT,
                        "<tr><td>%s</td><td>%,.2f</td><td>%,.2f</td></tr>%n",
                        escaped(name),
                        value,
                        hold.last().getOrDefault(name, 0.0))));
    page.append("</table>\n");
  }

  private static void overloads(StringBuilder page, CapacityReport report) {
    if (report.overloads().isEmpty()) {
      return;
    }
    page.append(
        "<h2>Beyond the limit</h2>\n<table><tr><th>load</th><th>accepted, of the limit</th>"
            + "<th>refused/s</th><th>p99 of accepted, ms</th><th>health, longest ms</th><th>health"
            + " failed</th><th>p99 kept again after</th><th>the load</th></tr>\n");
    for (CapacityReport.Overload overload : report.overloads()) {
      LoadStep step = overload.step();
      page.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%.0f %%</td><td>%.2f</td><td>%,.0f</td><td>%.1f</td><td>%.0f</td>"
                  + "<td>%d</td><td>%s</td><td class=\"text\">%s</td></tr>%n",
              100 * overload.factor(),
              overload.goodput(),
              step.rates().refused(),
              step.p99(),
              overload.health().mostMillis(),
              overload.health().failed(),
              overload.recoverySeconds() < 0
                  ? "not within 15 s"
                  : String.format(Locale.ROOT, "%.0f s", overload.recoverySeconds()),
              step.voidness().isEmpty() ? "in time" : escaped(step.voidness())));
      for (LoadStep.Flow flow : step.flows()) {
        page.append(
            String.format(
                Locale.ROOT,
                "<tr><td>&nbsp; %s (%s)</td><td>%.2f of offered</td><td>%,.0f</td><td>%.1f</td>"
                    + "<td></td><td></td><td></td><td></td></tr>%n",
                escaped(flow.name()),
                flow.priority().toLowerCase(Locale.ROOT),
                flow.offered() > 0 ? flow.achieved() / flow.offered() : 0,
                flow.refused(),
                flow.p99Millis()));
      }
    }
    page.append("</table>\n");
  }

  private static void account(StringBuilder page, CapacityReport report) {
    CapacityReport.Account account = report.account();
    page.append(
        String.format(
            Locale.ROOT,
            "<h2>The account</h2>%n<p class=\"%s\">%,d records acknowledged, %,d stored: %,d"
                + " missing. %,d requests were not answered at all. The ledger's residue is"
                + " %d.</p>%n",
            account.missing() == 0 && account.residue() == 0 ? "good" : "bad",
            account.acknowledged(),
            account.stored(),
            account.missing(),
            account.unanswered(),
            account.residue()));
    if (!report.peers().isEmpty()) {
      page.append(
          "<h2>Beside others</h2>\n<table><tr><th>server</th><th>limit</th><th>this is"
              + "</th></tr>\n");
      for (CapacityReport.Peer peer : report.peers()) {
        page.append(
            String.format(
                Locale.ROOT,
                "<tr><td>%s</td><td>%,.0f/s</td><td>%.2f times that</td></tr>%n",
                escaped(peer.name()),
                peer.units(),
                report.limit().units() / Math.max(1, peer.units())));
      }
      page.append("</table>\n");
    }
  }

  private static void environment(StringBuilder page, CapacityReport report) {
    page.append("<h2>Where, with what</h2>\n<table>\n");
    StepGoals goals = report.environment().goals();
    page.append(
        String.format(
            Locale.ROOT,
            "<tr><td>goals</td><td class=\"text\">p99 at most %.0f ms, errors at most %.2f %%, at"
                + " most %.0f %% of the processors</td></tr>%n",
            goals.p99Millis(),
            100 * goals.errorShare(),
            100 * goals.processorShare()));
    report
        .environment()
        .facts()
        .forEach(
            (name, value) ->
                page.append(
                    String.format(
                        Locale.ROOT,
                        "<tr><td>%s</td><td class=\"text\"><code>%s</code></td></tr>%n",
                        escaped(name),
                        escaped(value))));
    page.append("</table>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
