package gilmok.lab.cost;

import gilmok.lab.options.Span;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code lab cost}: the nodes that a fleet needs, and what a month costs, in two ways. */
@Command(
    name = "cost",
    modelTransformer = CostHelp.class,
    description = {
      "Reckon what a fleet's positions need and cost a month: nodes and disks, beside a gateway "
          + "that is paid by the request, with functions. Nothing is measured or asked for.",
      "",
      "People, support, logs and monitoring are in neither bill; deliveries are not, either."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab cost --riders 5000 --every 5s --hours 10",
      "  gilmok lab cost --riders 50000 --price machine-hour=0.07 --fact log-bytes=60"
    })
public final class CostCommand implements Callable<Integer> {
  private static final int BATCH_MAX = 500;
  private static final int HOURS_MAX = 24;
  private static final int DAYS_MAX = 31;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--riders",
      defaultValue = "5000",
      description = "Riders on duty at the same time (default: ${DEFAULT-VALUE}).")
  private int riders;

  @Option(
      names = "--every",
      defaultValue = "5s",
      paramLabel = "SPAN",
      description = "How often each has a position (default: ${DEFAULT-VALUE}).")
  private Span every = Span.ZERO;

  @Option(
      names = "--hours",
      defaultValue = "10",
      description = "Hours a day that they are on duty (default: ${DEFAULT-VALUE}).")
  private double hours;

  @Option(
      names = "--days",
      defaultValue = "30",
      description = "Days a month (default: ${DEFAULT-VALUE}).")
  private double days;

  @Option(
      names = "--batch",
      defaultValue = "1",
      description = "Positions a request (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--log-days",
      defaultValue = "7",
      description = "Days that the log keeps, log.retention (default: ${DEFAULT-VALUE}).")
  private double logDays;

  @Option(
      names = "--months",
      defaultValue = "12",
      description = "Months that objects are kept (default: ${DEFAULT-VALUE}).")
  private double months;

  @Option(
      names = "--spare",
      defaultValue = "1",
      description = "Nodes beside those that the rate needs (default: ${DEFAULT-VALUE}).")
  private int spare;

  @Option(
      names = "--redis",
      defaultValue = "1",
      description = "Nodes of Redis, in both bills (default: ${DEFAULT-VALUE}).")
  private int redis;

  @Option(
      names = "--capacity",
      paramLabel = "FILE",
      description =
          "The JSON of gilmok capacity --scenario collect on your machine, whose safe rate counts.")
  private @Nullable Path capacity;

  @Option(
      names = "--price",
      paramLabel = "NAME=DOLLARS",
      description = "Another price, as often as needed.")
  private Map<String, Double> prices = new LinkedHashMap<>();

  @Option(
      names = "--fact",
      paramLabel = "NAME=NUMBER",
      description = "Another fact, as often as needed.")
  private Map<String, Double> facts = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException {
    Assumptions given = given();
    FleetDemand demand = new FleetDemand(riders, every.value(), hours, days, batch);
    check();
    double safe = capacity == null ? 0 : safe(capacity);
    NodeSizing sizing = NodeSizing.of(demand, given, safe, spare, logDays);
    MonthlyBill bill = MonthlyBill.of(demand, sizing, given, months, redis);
    PrintWriter out = spec.commandLine().getOut();
    CostText.sizing(demand, sizing).forEach(out::println);
    out.println();
    CostText.bill(demand, bill).forEach(out::println);
    return 0;
  }

  private void check() {
    within("--riders", riders, 1, Integer.MAX_VALUE);
    within("--every", every.value().toNanos() / 1e6, 1, Duration.ofDays(1).toNanos() / 1e6);
    within("--hours", hours, Double.MIN_VALUE, HOURS_MAX);
    within("--days", days, Double.MIN_VALUE, DAYS_MAX);
    within("--batch", batch, 1, BATCH_MAX);
    within("--log-days", logDays, 0, Double.MAX_VALUE);
    within("--months", months, 0, Double.MAX_VALUE);
    within("--spare", spare, 0, Integer.MAX_VALUE);
    within("--redis", redis, 0, Integer.MAX_VALUE);
  }

  private void within(String option, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw wronglyAsked(option + ": out of range");
    }
  }

  private Assumptions given() {
    Assumptions given = Assumptions.defaults();
    for (var price : prices.entrySet()) {
      given = with(given, "--price", price, true);
    }
    for (var fact : facts.entrySet()) {
      given = with(given, "--fact", fact, false);
    }
    return given;
  }

  private Assumptions with(
      Assumptions given, String option, Map.Entry<String, Double> named, boolean isPrice) {
    Assumption one =
        Assumption.named(named.getKey())
            .filter(found -> found.isPrice() == isPrice)
            .orElseThrow(() -> wronglyAsked(option + ": there is no " + named.getKey()));
    try {
      return given.with(one, named.getValue());
    } catch (IllegalArgumentException wrong) {
      throw wronglyAsked(option + ": " + wrong.getMessage());
    }
  }

  /** The safe rate of a run, in positions a second. */
  private double safe(Path file) throws IOException {
    JsonNode report;
    try {
      report = JsonMapper.shared().readTree(Files.readString(file));
    } catch (JacksonException unusable) {
      throw new IOException(file + ": no JSON: " + unusable.getOriginalMessage(), unusable);
    }
    double safe = report.path("limit").path("safe").asDouble(0);
    String unit = report.path("environment").path("unit").asString("");
    if (safe <= 0 || !unit.equals("positions")) {
      throw new IOException(file + ": no safe rate of positions in it");
    }
    return safe;
  }

  private ParameterException wronglyAsked(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }
}
