package gilmok.lab.load;

import gilmok.lab.ProcessorClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab load}: sends unique positions to a server on this machine and measures it. Exits with
 * 0 when the run counts, 3 when it is void (an error, a duplicate, something unanswered).
 */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Load on a server of this machine: open loop with --rate, else closed.")
public final class LoadCommand implements Callable<Integer> {
  private static final int VOID = 3;
  private static final int MISUSED = 2;

  @Mixin private LoadOptions options = new LoadOptions();

  @Option(names = "--route", defaultValue = "traces", description = "below /v1/: ${DEFAULT-VALUE}")
  private String route = "";

  @Option(names = "--key", defaultValue = "", description = "API key")
  private String key = "";

  @Option(names = "--rate", defaultValue = "0", description = "requests/s; 0: closed loop")
  private double rate;

  @Option(names = "--positions", defaultValue = "1", description = "a request: ${DEFAULT-VALUE}")
  private int positions;

  @Option(names = "--riders", defaultValue = "10000", description = "${DEFAULT-VALUE}")
  private int riders;

  @Option(names = "--threads", defaultValue = "1", description = "event loops: ${DEFAULT-VALUE}")
  private int threads;

  @Option(names = "--pipeline", defaultValue = "1", description = "depth: ${DEFAULT-VALUE}")
  private int pipeline;

  @Option(names = "--ids", description = "each position has an id of its own")
  private boolean ids;

  @Option(names = "--hgrm", description = "the latencies' distribution, in ms")
  private @Nullable Path hgrm;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!options.isOfThisMachine()) {
      return MISUSED;
    }
    LoadPlan plan;
    try {
      plan = plan();
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      return MISUSED;
    }
    ProcessorClock server = options.serverPid == 0 ? null : new ProcessorClock(options.serverPid);
    LoadReport report =
        new LoadRun(plan, server, options.quiet ? line -> {} : System.err::println).run();
    System.out.print(report.table());
    Path json = options.json;
    if (json != null) {
      Files.writeString(json, report.json());
    }
    if (hgrm != null) {
      try (PrintStream out = new PrintStream(Files.newOutputStream(hgrm))) {
        report.histogram().outputPercentileDistribution(out, 1e6);
      }
    }
    return report.valid() ? 0 : VOID;
  }

  private LoadPlan plan() {
    return new LoadPlan(
        options.host(),
        options.port(),
        "/v1/" + route,
        key,
        options.connections,
        rate,
        Duration.ofSeconds(options.warmup),
        Duration.ofSeconds(options.seconds),
        positions,
        riders,
        threads,
        pipeline,
        ids,
        Duration.ofSeconds(10));
  }
}
