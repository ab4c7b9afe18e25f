package gilmok.lab;

import gilmok.lab.load.LoadReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs {@code lab load} as a process of its own and reads its report. */
public final class LoadProcess {
  private static final Duration SLACK = Duration.ofMinutes(1);

  private LoadProcess() {}

  /**
   * The parameters of one run.
   *
   * @param rate requests a second; 0 for a closed loop
   * @param positions positions in each request
   * @param warmup seconds of load before the measurement
   * @param seconds of the measurement
   * @param more further options of {@code lab load}
   */
  public record Plan(double rate, int positions, double warmup, double seconds, List<String> more) {
    public Plan {
      more = List.copyOf(more);
    }

    /** One position in each request, spread over a number of riders. */
    public static Plan of(int riders, double rate, double warmup, double seconds) {
      return of(riders, rate, 1, warmup, seconds);
    }

    /** Positions spread over a number of riders. */
    public static Plan of(int riders, double rate, int positions, double warmup, double seconds) {
      List<String> more = List.of("--riders", Integer.toString(riders));
      return new Plan(rate, positions, warmup, seconds, more);
    }
  }

  /**
   * Loads a server that accepts {@link Servers#KEY}; blocks.
   *
   * @param folder for the report, temporarily
   * @throws IOException when the run failed or cannot be used: responses were not as expected
   */
  public static LoadReport run(Subject server, Path folder, Plan plan)
      throws IOException, InterruptedException {
    LoadReport report = runAnyway(server, folder, plan, List.of());
    if (!report.isUsable()) {
      throw new IOException("the load is void: " + report.errorKinds());
    }
    return report;
  }

  /**
   * The same, but a void run is returned too.
   *
   * @param before put before the command, as {@code taskset -c 1}
   */
  public static LoadReport runAnyway(Subject server, Path folder, Plan plan, List<String> before)
      throws IOException, InterruptedException {
    Path report = folder.resolve("load.json");
    Files.deleteIfExists(report);
    List<String> arguments = new ArrayList<>(List.of("load", "--quiet", "--url", server.url()));
    arguments.addAll(List.of("--key", Servers.KEY, "--rate", Double.toString(plan.rate)));
    arguments.addAll(List.of("--positions", Integer.toString(plan.positions)));
    arguments.addAll(List.of("--warmup", Double.toString(plan.warmup)));
    arguments.addAll(List.of("--seconds", Double.toString(plan.seconds)));
    arguments.addAll(List.of("--server-pid", Long.toString(server.pid())));
    arguments.addAll(List.of("--json", report.toString()));
    arguments.addAll(plan.more);
    List<String> command = new ArrayList<>(before);
    command.addAll(Subject.java(Servers.SMALL_JVM, Servers.ownJar(), arguments));
    Path output = folder.resolve("load.out");
    try (Subject load = Subject.start("the load", command, Map.of(), 0, output)) {
      load.awaitEnd(SLACK.plusSeconds((long) (plan.warmup + plan.seconds)));
      if (!Files.exists(report)) {
        throw new IOException("the load failed: " + load.lastOutput() + server.lastOutput());
      }
    }
    return LoadReport.read(Files.readString(report));
  }
}
