package gilmok.lab.sinks;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.options.ServerOptions;
import gilmok.lab.options.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code lab ship}: measures shipping. Exits with 0 when all goals were reached, 1 when one was
 * missed.
 */
@Command(
    name = "ship",
    description = {
      "Measure how fast a log is shipped, and what shipping costs the phones.",
      "",
      "  LOOP    A full log, shipped to a sink that takes everything at once.",
      "  FILES   A full log, emptied into files: NDJSON and Parquet.",
      "  BESIDE  Phones' p99 beside files, Firehose and Redis, and with no sink.",
      "  SLOW    The same with a Firehose that takes 60 ms and at worst 8 s;",
      "          the old way beside it.",
      "  COST    What Firehose bills for a million positions, packed and not."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab ship --only COST                       # at once",
      "  gilmok lab ship --only LOOP,FILES                 # some minutes",
      "  gilmok lab ship                                   # about 25 minutes"
    })
public final class ShipReportCommand implements Callable<Integer> {
  private static final double NDJSON_TO_REACH = 300_000;
  private static final double PARQUET_TO_REACH = 150_000;

  /** The parts of the measurement. */
  enum Part {
    LOOP,
    FILES,
    BESIDE,
    SLOW,
    COST
  }

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PART",
      description = "Only these of ${COMPLETION-CANDIDATES} (default: all).")
  private @Nullable Set<Part> only;

  @Mixin private Timing timing = new Timing(15, 15);

  @Option(
      names = "--fill",
      defaultValue = "12",
      description = "Seconds of filling the log (default: ${DEFAULT-VALUE}).")
  private int fill;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds of each part (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--pairs",
      defaultValue = "5",
      description = "Pairs of BESIDE, with and without (default: ${DEFAULT-VALUE}).")
  private int pairs;

  @Option(
      names = "--sinks",
      defaultValue = "files,firehose,redis",
      split = ",",
      paramLabel = "SINK",
      description = "The sinks of BESIDE (default: ${DEFAULT-VALUE}).")
  private List<String> sinks = List.of();

  @Option(
      names = "--share",
      defaultValue = "0.5",
      description =
          "The share of the highest rate, for BESIDE and SLOW (default: " + "${DEFAULT-VALUE}).")
  private double share;

  @Mixin private ServerOptions options = new ServerOptions();

  @Option(
      names = "--redis",
      defaultValue = "redis-server",
      paramLabel = "PATH",
      description = "The program redis-server (default: ${DEFAULT-VALUE}).")
  private String redis = "";

  @Option(
      names = "--dollars-per-gb",
      description = "Firehose's price for a GB (default: ${DEFAULT-VALUE}).")
  private double dollarsPerGb = Cost.DOLLARS_A_GB;

  @Option(
      names = "--delay",
      defaultValue = "60ms",
      paramLabel = "SPAN",
      description = "The stand-in's delay of SLOW (default: ${DEFAULT-VALUE}).")
  private String delay = "";

  @Option(
      names = "--tail",
      defaultValue = "8s",
      paramLabel = "SPAN",
      description = "The stand-in's delay of SLOW at worst (default: ${DEFAULT-VALUE}).")
  private String tail = "";

  @Option(names = "--json", description = "Write all numbers as JSON into this file.")
  private @Nullable Path json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.run("ship", this::measure);
  }

  private int measure(Servers servers, Path folder) throws IOException, InterruptedException {
    ShipBench bench =
        new ShipBench(
            servers,
            folder,
            options.heap(),
            redis,
            new ShipBench.Times(
                timing.warmup(), timing.seconds(), Math.max(1, rounds), Math.max(1, pairs)),
            share,
            System.err::println);
    List<ShipFinding> findings = measure(bench, only == null ? EnumSet.allOf(Part.class) : only);
    print(findings);
    return findings.stream().allMatch(ShipFinding::isReached) ? 0 : 1;
  }

  private List<ShipFinding> measure(ShipBench bench, Set<Part> parts)
      throws IOException, InterruptedException {
    List<ShipFinding> findings = new ArrayList<>();
    if (parts.contains(Part.LOOP) || parts.contains(Part.FILES)) {
      Emptying emptying = new Emptying(bench);
      emptying.fill(fill);
      if (parts.contains(Part.LOOP)) {
        findings.add(emptying.loop());
      }
      if (parts.contains(Part.FILES)) {
        findings.add(emptying.empty("ndjson", NDJSON_TO_REACH));
        findings.add(emptying.empty("parquet", PARQUET_TO_REACH));
      }
    }
    if (parts.contains(Part.BESIDE)) {
      findings.addAll(beside(bench));
    }
    if (parts.contains(Part.SLOW)) {
      findings.addAll(slow(bench));
    }
    if (parts.contains(Part.COST)) {
      findings.addAll(new Cost(bench, dollarsPerGb).measure());
    }
    return findings;
  }

  private List<ShipFinding> beside(ShipBench bench) throws IOException, InterruptedException {
    try (Subject standIn = bench.standIn(List.of());
        Subject store = bench.servers().redis(redis)) {
      List<String> arguments = ShipBench.set("sinks.enabled=" + String.join(",", sinks));
      for (String sink : sinks) {
        // As docs/sinks.md recommends for many positions: larger batches share the cost of a call
        // and a script.
        arguments.addAll(
            switch (sink) {
              case "files" -> ShipBench.files("ndjson");
              case "firehose" ->
                  ShipBench.firehose(standIn.url(), "sinks.firehose.batch-records-max=1000");
              case "redis" -> ShipBench.redis(store.port(), "sinks.redis.batch-records-max=1000");
              default -> throw new IllegalArgumentException("--sinks: there is no sink " + sink);
            });
      }
      return new Beside(bench).measure(String.join("-", sinks), arguments, true).findings();
    }
  }

  private List<ShipFinding> slow(ShipBench bench) throws IOException, InterruptedException {
    List<String> faults = List.of("--delay", delay, "--tail", tail);
    List<ShipFinding> findings = new ArrayList<>();
    Beside.Outcome ours;
    try (Subject standIn = bench.standIn(faults)) {
      List<String> arguments = ShipBench.set("sinks.enabled=firehose");
      // Enough calls in flight for the rate; otherwise the backlog grows, though phones do not
      // notice that either.
      arguments.addAll(
          ShipBench.firehose(
              standIn.url(),
              "sinks.firehose.max-concurrency=64",
              "sinks.firehose.batch-records-max=1000"));
      ours = new Beside(bench).measure("slow-firehose", arguments, false);
      findings.addAll(ours.findings());
    }
    findings.add(new OneByOne(bench).measure(faults, ours));
    return findings;
  }

  private void print(List<ShipFinding> findings) throws IOException {
    System.out.printf(
        Locale.ROOT,
        "lab ship --seconds %.0f --warmup %.0f --fill %d --rounds %d --pairs %d --sinks %s --share %.2f"
            + " --heap %s%n",
        timing.seconds(),
        timing.warmup(),
        fill,
        rounds,
        pairs,
        String.join(",", sinks),
        share,
        options.heap());
    for (ShipFinding finding : findings) {
      String verdict = finding.reach().isEmpty() ? "" : finding.isReached() ? "reached" : "MISSED";
      System.out.printf("%n%s%n  %s%n", finding.what(), finding.measured());
      if (!finding.reach().isEmpty()) {
        System.out.printf("  to reach: %s: %s%n", finding.reach(), verdict);
      }
    }
    if (json != null) {
      Files.writeString(
          json,
          JsonMapper.shared()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(findings.stream().map(ShipFinding::json).toList()));
    }
  }
}
