package gilmok.lab.capacity;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import gilmok.lab.options.Span;
import gilmok.lab.report.Machine;
import gilmok.lab.report.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code gilmok capacity}: how much a server takes, and what ends it. Exits with 0 when a rate was
 * found and everything held, 1 when something did not, 3 when the figure says nothing about the
 * server.
 */
@Command(
    name = "capacity",
    description = {
      "Find the highest rate at which a server keeps its goals, and say what ends it.",
      "",
      "It starts a server of its own, or loads one that runs (--url, --key): first more and more,"
          + " at fixed rates whatever the server answers (an open loop); then a little above the"
          + " limit, to see which resource is full; then at 70 % of it for a time (--hold); then at"
          + " 150 and 200 %. It writes a page with plots, and JSON for compare-runs.",
      "",
      "Scenarios: collect (positions), fleet (what phones and maps ask together), deliveries,"
          + " missions (100 kB answers), statements, day (all of it).",
      "",
      "Exit code: 0 if a rate was found and all held, 1 if something did not, 3 if the load itself"
          + " was late or wrong, so that the figure says nothing about the server."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok capacity                                     # 5 minutes",
      "  gilmok capacity --scenario fleet --hold 30m",
      "  gilmok capacity --url http://127.0.0.1:8080 --key \"$(cat data/admin.key)\"",
    })
public final class CapacityCommand implements Callable<Integer> {
  private static final int VOID = 3;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--scenario",
      split = ",",
      defaultValue = "collect",
      paramLabel = "NAME",
      description = "What is sent; several, separated by commas (default: ${DEFAULT-VALUE}).")
  private List<String> scenarios = List.of();

  @Option(
      names = "--positions",
      defaultValue = "1",
      paramLabel = "N",
      description = "Positions in a request of collect (default: ${DEFAULT-VALUE}).")
  private int positions;

  @Option(
      names = "--riders",
      defaultValue = "10000",
      paramLabel = "N",
      description = "Riders who send them (default: ${DEFAULT-VALUE}).")
  private int riders;

  @Option(
      names = "--p99",
      paramLabel = "MS",
      description =
          "Goal: the highest p99, in ms (default: 50; of deliveries, statements and mixes 100).")
  private @Nullable Double p99;

  @Option(
      names = "--errors",
      defaultValue = "0.1",
      paramLabel = "PERCENT",
      description = "Goal: the most requests that fail (default: ${DEFAULT-VALUE} %%).")
  private double errors;

  @Option(
      names = "--processor",
      defaultValue = "95",
      paramLabel = "PERCENT",
      description =
          "Goal: the most that the server uses of the processors it may use (default:"
              + " ${DEFAULT-VALUE} %%).")
  private double processor;

  @Option(
      names = "--hold",
      defaultValue = "1m",
      paramLabel = "SPAN",
      description = "How long the safe rate is held, as 90s or 30m (default: ${DEFAULT-VALUE}).")
  private Span hold = Span.ZERO;

  @Option(
      names = "--step",
      defaultValue = "10",
      paramLabel = "SECONDS",
      description = "The measured part of each step (default: ${DEFAULT-VALUE}).")
  private double step;

  @Option(
      names = "--warmup",
      defaultValue = "20",
      paramLabel = "SECONDS",
      description = "Load before the first step (default: ${DEFAULT-VALUE}).")
  private double warmup;

  @Option(
      names = "--repeats",
      defaultValue = "3",
      paramLabel = "N",
      description = "How often the highest rate is repeated (default: ${DEFAULT-VALUE}).")
  private int repeats;

  @Option(
      names = "--from",
      defaultValue = "500",
      paramLabel = "RATE",
      description = "The first rate, from which on it is doubled (default: ${DEFAULT-VALUE}).")
  private double first;

  @Option(
      names = "--most",
      defaultValue = "1000000000",
      paramLabel = "RATE",
      description = "The rate beyond which it does not search (default: ${DEFAULT-VALUE}).")
  private double most;

  @Option(
      names = "--beside",
      split = ",",
      paramLabel = "PEER",
      description =
          "Search the limit of these, too: bare (the same without a disk), webflux"
              + " (lab/baselines/webflux).")
  private List<CapacityTarget.Kind> peers = List.of();

  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder for the page and the JSON (default: lab/results).")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<LoadScenario> all = scenarios.stream().map(this::scenario).toList();
    int code = 0;
    for (LoadScenario scenario : all) {
      code = Math.max(code, search(scenario));
    }
    return code;
  }

  private LoadScenario scenario(String name) {
    return switch (name) {
      case "collect" -> new CollectScenario(positions, riders);
      case "fleet" -> new MixScenario(false, riders);
      case "deliveries" -> new DeliveriesScenario();
      case "missions" -> new MissionsScenario();
      case "statements" -> new StatementsScenario(1_000);
      case "day" -> new MixScenario(true, riders);
      default ->
          throw misused(
              "--scenario "
                  + name
                  + ": there are collect, fleet, deliveries, missions, statements and day");
    };
  }

  private RuntimeException misused(String why) {
    return spec == null
        ? new IllegalArgumentException(why)
        : new ParameterException(spec.commandLine(), why);
  }

  private int search(LoadScenario scenario) throws IOException, InterruptedException {
    StepGoals goals =
        new StepGoals(p99 == null ? scenario.usualP99Millis() : p99, errors / 100, processor / 100);
    Path work = ScratchFolder.create(targets.work(), "capacity-");
    try {
      CapacityReport report;
      try (CapacityTarget target = targets.open(work)) {
        report = run(scenario, goals, target);
      }
      return write(report.beside(peers(scenario, goals, work)));
    } finally {
      ScratchFolder.delete(work);
    }
  }

  private CapacityReport run(LoadScenario scenario, StepGoals goals, CapacityTarget target)
      throws IOException, InterruptedException {
    tell(scenario.name() + ": " + scenario.data());
    Map<String, String> facts = facts(target);
    try (ResourceSampler sampler = new ResourceSampler(target);
        StepRunner runner =
            new StepRunner(target, scenario, goals, targets.means(), sampler, this::tell)) {
      return new CapacityRun(target, scenario, goals, times(), runner, sampler, this::tell)
          .run(facts);
    }
  }

  private List<CapacityReport.Peer> peers(LoadScenario scenario, StepGoals goals, Path work)
      throws IOException, InterruptedException {
    List<CapacityReport.Peer> all = new ArrayList<>();
    for (CapacityTarget.Kind kind : peers) {
      try (CapacityTarget target = targets.start(kind, work);
          ResourceSampler sampler = new ResourceSampler(target);
          StepRunner runner =
              new StepRunner(target, scenario, goals, targets.means(), sampler, this::tell)) {
        LimitSearch.Found found =
            new CapacityRun(target, scenario, goals, times(), runner, sampler, this::tell).limit();
        all.add(new CapacityReport.Peer(kind.label(), found.units(), found.repeats()));
      }
    }
    return all;
  }

  private CapacityRun.Times times() {
    return new CapacityRun.Times(
        warmup,
        step,
        Math.max(1, repeats),
        hold.value().toMillis() / 1e3,
        Math.max(1, first),
        Math.max(1, most));
  }

  private Map<String, String> facts(CapacityTarget target)
      throws IOException, InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("when", LocalDateTime.now(ZoneOffset.UTC).withNano(0) + " UTC");
    facts.put(
        "command",
        "gilmok "
            + (spec == null
                ? "capacity"
                : String.join(" ", spec.commandLine().getParseResult().originalArgs())));
    facts.put("machine", Machine.describe());
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("processors of the server", Integer.toString(MachineTimes.processors(target.pid())));
    facts.put("server", target.isOurs() ? target.client().get("/version").body().strip() : "");
    facts.put("server's command line", commandLine(target.pid()));
    facts.put(
        "load", System.getProperty("java.vm.version") + ", this laboratory, commit " + revision());
    facts.put(
        "arrivals",
        "an open loop: requests are due at equal distances, whatever the server does, over "
            + targets.means().connections()
            + " connections; latencies count from when a request was due");
    return facts;
  }

  private static String revision() throws InterruptedException {
    try {
      return Revision.describe(Servers.root());
    } catch (IOException noJar) {
      return "unknown";
    }
  }

  private static String commandLine(long pid) throws IOException {
    Path file = Path.of("/proc", Long.toString(pid), "cmdline");
    return Files.isReadable(file)
        ? Files.readString(file).replace('\0', ' ').replaceAll("(?i)(key=)\\S+", "$1…").strip()
        : "not on this machine";
  }

  private int write(CapacityReport report) throws IOException {
    Path folder = out == null ? Servers.root().resolve("lab/results") : out;
    Files.createDirectories(folder);
    String file =
        "capacity-"
            + report.environment().scenario()
            + "-"
            + DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
                .format(LocalDateTime.now(ZoneOffset.UTC));
    Files.writeString(folder.resolve(file + ".json"), report.json());
    Files.writeString(folder.resolve(file + ".html"), CapacityPage.render(report));
    System.out.print(CapacityText.of(report));
    System.out.printf(Locale.ROOT, "%n%s%n", folder.resolve(file + ".html"));
    System.out.println(folder.resolve(file + ".json"));
    boolean isVoid = !report.limit().voidness().isEmpty();
    return isVoid ? VOID : report.isGood() ? 0 : 1;
  }

  private void tell(String line) {
    System.err.println(line);
  }
}
