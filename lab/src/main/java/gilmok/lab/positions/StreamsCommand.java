package gilmok.lab.positions;

import gilmok.lab.LoadProcess;
import gilmok.lab.ProcessorClock;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadReport;
import gilmok.lab.options.ServerOptions;
import gilmok.lab.options.Timing;
import gilmok.lab.report.Figures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab streams}: measures how fast single positions are collected with and without readers of
 * streams, in alternating rounds. Exits with 0 when the cost is within the goal, else 1.
 */
@Command(
    name = "streams",
    description = {"Measure how much readers of position streams slow down collecting."},
    footer = {
      "",
      "Examples:",
      "  gilmok lab streams --readers 100 --rounds 1 --seconds 3 --warmup 2",
      "  gilmok lab streams                                            # 3 minutes"
    })
public final class StreamsCommand implements Callable<Integer> {
  private static final double COST_TO_REACH = 0.2;

  @Option(
      names = "--readers",
      defaultValue = "1000",
      description = "Readers (default: ${DEFAULT-VALUE}).")
  private int readers;

  @Option(
      names = "--riders-each",
      defaultValue = "100",
      description = "Riders whom a reader follows (default: ${DEFAULT-VALUE}).")
  private int ridersEach;

  @Option(
      names = "--riders",
      defaultValue = "10000",
      description = "Riders who are followed by some reader (default: ${DEFAULT-VALUE}).")
  private int riders;

  @Option(
      names = "--fleet",
      defaultValue = "90000",
      description =
          "Riders who send, in turn: of the positions collected, riders/fleet are of "
              + "riders who are followed (default: ${DEFAULT-VALUE}).")
  private int fleet;

  @Option(
      names = "--rate",
      defaultValue = "0",
      description =
          "Positions a second (default: ${DEFAULT-VALUE}, as fast as they are taken, "
              + "which is what is compared).")
  private double rate;

  @Mixin private Timing timing = new Timing(20, 15);

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Mixin private ServerOptions options = new ServerOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.run("streams", this::compare);
  }

  private int compare(Servers servers, Path folder) throws IOException, InterruptedException {
    try (Subject gilmok = servers.gilmok(options.heap(), List.of())) {
      load(gilmok, folder, timing.warmup(), 1);
      List<Double> without = new ArrayList<>();
      List<Double> with = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        without.add(show("without readers", load(gilmok, folder, 2, timing.seconds())));
        try (Readers open = new Readers(gilmok.port(), readers, ridersEach, riders)) {
          double before = events(gilmok);
          long bytes = open.bytes();
          long processor = ProcessorClock.own().nanos();
          long began = System.nanoTime();
          with.add(show("with readers", load(gilmok, folder, 2, timing.seconds())));
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
      double cost = 1 - Figures.median(with) / Figures.median(without);
      System.out.printf(
          Locale.ROOT, "cost     %.1f %% (to reach: %.0f %%)%n", 100 * cost, 100 * COST_TO_REACH);
      return cost <= COST_TO_REACH ? 0 : 1;
    }
  }

  private static double show(String name, LoadReport taken) {
    System.out.printf(
        Locale.ROOT,
        "%-16s %,.0f positions/s, p99 %.2f ms, %.2f µs of the server's processor each; the load"
            + " generator took %.2f cores%n",
        name,
        taken.requestsPerSecond(),
        taken.p99(),
        taken.serverMicrosPerRequest(),
        taken.loadCores());
    return taken.requestsPerSecond();
  }

  private static double events(Subject gilmok) throws IOException, InterruptedException {
    return Servers.metrics(gilmok)
        .sum("gilmok_positions_stream_events_total", "event=\"position\"");
  }

  /** Loads the server with single positions from a process of its own. */
  private LoadReport load(Subject gilmok, Path folder, double warmup, double seconds)
      throws IOException, InterruptedException {
    return LoadProcess.run(gilmok, folder, LoadProcess.Plan.of(fleet, rate, warmup, seconds));
  }
}
