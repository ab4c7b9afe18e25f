package gilmok.accept;

import gilmok.cli.Table;
import gilmok.doctor.Check;
import gilmok.doctor.CheckTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What was found of all engines, as text and as JSON. Immutable.
 *
 * @param heading when, by which version, under which name
 */
record AcceptPage(String heading, List<Findings> engines) {
  private static final double NANOS_IN_MILLI = 1e6;
  private static final int FOUND_CHARS_MAX = 80;
  private static final String PASS = "pass";
  private static final String FAIL = "fail";
  private static final String NOT_TRIED = "not tried";

  AcceptPage {
    engines = List.copyOf(engines);
  }

  boolean hasFailed() {
    return count(FAIL) > 0;
  }

  private long count(String word) {
    return engines.stream()
        .flatMap(engine -> engine.checks().stream())
        .filter(check -> word(check.verdict()).equals(word))
        .count();
  }

  /** A doctor's verdict as this page's word. */
  private static String word(String verdict) {
    return switch (verdict) {
      case "well" -> PASS;
      case "look" -> FAIL;
      default -> NOT_TRIED;
    };
  }

  /** One page of text. */
  List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(heading, ""));
    for (Findings engine : engines) {
      lines.addAll(
          CheckTable.lines(
              engine.engine().toUpperCase(Locale.ROOT),
              engine.checks().stream().map(AcceptPage::shortened).toList(),
              verdict -> shown(word(verdict))));
      if (!engine.figures().isEmpty()) {
        lines.addAll(Table.lines(figures(engine)));
        lines.add("");
      }
    }
    lines.add(
        "%d passed, %d failed, %d not tried".formatted(count(PASS), count(FAIL), count(NOT_TRIED)));
    return lines;
  }

  /** Long findings are whole below the table, with the advice. */
  private static Check shortened(Check check) {
    String seen = check.seen();
    return seen.length() <= FOUND_CHARS_MAX
        ? check
        : new Check(
            check.what(),
            seen.substring(0, FOUND_CHARS_MAX - 1) + "…",
            check.verdict(),
            check.advice().isEmpty() ? seen : seen + ". What to do: " + check.advice());
  }

  private static String shown(String word) {
    return word.equals(FAIL) ? word.toUpperCase(Locale.ROOT) : word;
  }

  private static List<List<String>> figures(Findings engine) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            engine.engine().toUpperCase(Locale.ROOT) + " ANSWERS",
            "TIMES",
            "P50 MS",
            "P99 MS",
            "MAX MS"));
    for (Findings.Figure one : engine.figures()) {
      rows.add(
          List.of(
              one.operation(),
              Integer.toString(one.times()),
              millis(one.p50Nanos()),
              millis(one.p99Nanos()),
              millis(one.maxNanos())));
    }
    return rows;
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.2f", nanos / NANOS_IN_MILLI);
  }

  /** The same as JSON. */
  String json() {
    JsonMapper mapper = JsonMapper.shared();
    ObjectNode page = mapper.createObjectNode();
    page.put("heading", heading);
    ArrayNode all = page.putArray("engines");
    for (Findings engine : engines) {
      ObjectNode one = all.addObject().put("engine", engine.engine());
      ArrayNode checks = one.putArray("checks");
      for (Check check : engine.checks()) {
        checks
            .addObject()
            .put("what", check.what())
            .put("verdict", word(check.verdict()))
            .put("found", check.seen())
            .put("advice", check.advice());
      }
      ArrayNode figures = one.putArray("figures");
      for (Findings.Figure figure : engine.figures()) {
        figures
            .addObject()
            .put("operation", figure.operation())
            .put("times", figure.times())
            .put("p50Millis", figure.p50Nanos() / NANOS_IN_MILLI)
            .put("p99Millis", figure.p99Nanos() / NANOS_IN_MILLI)
            .put("maxMillis", figure.maxNanos() / NANOS_IN_MILLI);
      }
    }
    page.put("passed", count(PASS)).put("failed", count(FAIL)).put("notTried", count(NOT_TRIED));
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(page);
  }
}
