package gilmok.lab.live;

import gilmok.lab.ProcessorClock;
import gilmok.lab.ScratchFolder;
import gilmok.lab.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code lab streams}: how fast positions are collected, one a request, with and without readers of
 * streams, by turns. Exits with 0 when the cost is within what is to be reached, else 1.
 */
@Command(
    name = "streams",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "What readers of streams of positions cost collecting.")
public final class StreamsCommand implements Callable<Integer> {
  private static final String EVENTS = "gilmok_live_stream_events_total{event=\"position\"} ";
  private static final double COST_TO_REACH = 0.2;
  private static final int LOAD_SLACK_SECONDS = 60;

  @Option(names = "--readers", defaultValue = "1000", description = "${DEFAULT-VALUE}")
  private int readers;

  @Option(names = "--riders-each", defaultValue = "100", description = "${DEFAULT-VALUE}")
  private int ridersEach;

  @Option(
      names = "--riders",
      defaultValue = "10000",
      description = "how many are followed by some reader: ${DEFAULT-VALUE}")
  private int riders;

  @Option(
      names = "--fleet",
      defaultValue = "90000",
      description = {
        "how many riders send, in turn: of the positions collected, riders/fleet are of riders",
        "who are followed (default: ${DEFAULT-VALUE})"
      })
  private int fleet;

  @Option(
      names = "--rate",
      defaultValue = "0",
      description = "positions a second; 0: as fast as they are taken, which is what is compared")
  private double rate;

  @Option(names = "--seconds", defaultValue = "20", description = "measured: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(names = "--warmup", defaultValue = "15", description = "seconds: ${DEFAULT-VALUE}")
  private int warmup;

  @Option(names = "--rounds", defaultValue = "3", description = "${DEFAULT-VALUE}")
  private int rounds;

  @Option(names = "--heap", defaultValue = "512m", description = "${DEFAULT-VALUE}")
  private String heap = "";

  @Option(names = "--work", description = "where data folders go; else a temporary folder")
  private @Nullable Path work;

  /** One measurement. */
  private record Taken(double requestsPerSecond, double p99, double serverMicros, double cores) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = ScratchFolder.create(work, "streams-");
    try (Subject gilmok = new Servers(Servers.ownJar(), folder).gilmok(heap, List.of())) {
      load(gilmok, folder, warmup, 1);
      List<Double> without = new ArrayList<>();
      List<Double> with = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        without.add(show("without readers", load(gilmok, folder, 2, seconds)));
        try (Readers open = new Readers(gilmok.port(), readers, ridersEach, riders)) {
          long before = events(gilmok);
          long bytes = open.bytes();
          long processor = ProcessorClock.own().nanos();
          long began = System.nanoTime();
          with.add(show("with readers", load(gilmok, folder, 2, seconds)));
          double took = (System.nanoTime() - began) / 1e9;
          System.out.printf(
              Locale.ROOT,
              "  %,.0f positions/s of followed riders; %,.0f events/s, %,.1f MB/s to %,d readers, who"
                  + " took %.2f cores; %d were lost%n",
              with.getLast() * Math.min(1, (double) riders / fleet),
              (events(gilmok) - before) / took,
              (open.bytes() - bytes) / took / 1e6,
              readers,
              (ProcessorClock.own().nanos() - processor) / 1e9 / took,
              open.lost());
        }
      }
      double cost = 1 - median(with) / median(without);
      System.out.printf(
          Locale.ROOT, "cost     %.1f %% (to reach: %.0f %%)%n", 100 * cost, 100 * COST_TO_REACH);
      return cost <= COST_TO_REACH ? 0 : 1;
    } finally {
      ScratchFolder.delete(folder);
    }
  }

  private static double show(String name, Taken taken) {
    System.out.printf(
        Locale.ROOT,
        "%-16s %,.0f positions/s, p99 %.2f ms, %.2f µs of the server's processor each; the load"
            + " generator took %.2f cores%n",
        name,
        taken.requestsPerSecond,
        taken.p99,
        taken.serverMicros,
        taken.cores);
    return taken.requestsPerSecond;
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static long events(Subject gilmok) throws IOException, InterruptedException {
    return Servers.metrics(gilmok).stream()
        .filter(line -> line.startsWith(EVENTS))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(EVENTS.length())))
        .sum();
  }

  /** Loads it with single positions from a process of its own. */
  private Taken load(Subject gilmok, Path folder, int warmupSeconds, int measuredSeconds)
      throws IOException, InterruptedException {
    Path report = folder.resolve("load.json");
    Files.deleteIfExists(report);
    List<String> arguments = new ArrayList<>(List.of("load", "--quiet", "--url", gilmok.url()));
    arguments.addAll(List.of("--key", Servers.KEY, "--riders", Integer.toString(fleet)));
    arguments.addAll(List.of("--rate", Double.toString(rate)));
    arguments.addAll(List.of("--warmup", Integer.toString(warmupSeconds)));
    arguments.addAll(List.of("--seconds", Integer.toString(measuredSeconds)));
    arguments.addAll(List.of("--server-pid", Long.toString(gilmok.pid())));
    arguments.addAll(List.of("--json", report.toString()));
    List<String> options =
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx256m",
            "-XX:+UseSerialGC");
    Path output = folder.resolve("load.out");
    Process process =
        new ProcessBuilder(Subject.java(options, Servers.ownJar(), arguments))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    try {
      long atMost = (long) warmupSeconds + measuredSeconds + LOAD_SLACK_SECONDS;
      if (!process.waitFor(atMost, TimeUnit.SECONDS) || !Files.exists(report)) {
        throw new IOException("the load failed: " + Files.readString(output));
      }
    } finally {
      process.destroyForcibly();
    }
    JsonNode json = JsonMapper.shared().readTree(Files.readString(report));
    if (!json.get("valid").asBoolean()) {
      throw new IOException("the load is void: " + json.get("errorKinds"));
    }
    return new Taken(
        json.get("requestsPerSecond").asDouble(),
        json.get("latencyMillis").get("p99").asDouble(),
        json.get("serverMicrosPerRequest").asDouble(),
        json.get("loadCores").asDouble());
  }
}
