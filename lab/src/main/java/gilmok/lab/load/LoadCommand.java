package gilmok.lab.load;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab load}: sends unique positions to a server on this machine and measures it. Exits with
 * 0 when the run counts, 3 when it is void (an error, a duplicate, or a request without a
 * response).
 */
@Command(
    name = "load",
    description = {
      "Put load on a server of this machine: at a rate (an open loop), or without "
          + "--rate as fast as it answers (a closed loop)."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab load --key \"$(cat data/admin.key)\" --seconds 2 --warmup 1",
      "  gilmok lab load --key \"$(cat data/admin.key)\" --rate 20000",
      "",
      "The second takes 40 seconds."
    })
public final class LoadCommand implements Callable<Integer> {
  /** The exit code of a command whose run was void. */
  public static final int VOID = 3;

  private static final int DRAIN_SECONDS = 10;

  @Mixin private LoadOptions options = new LoadOptions();

  @Option(
      names = "--route",
      defaultValue = "traces",
      paramLabel = "ROUTE",
      description = "The route below /v1/ (default: ${DEFAULT-VALUE}).")
  private String route = "";

  @Option(
      names = "--key",
      defaultValue = "",
      paramLabel = "KEY",
      description = "The API key (default: none).")
  private String key = "";

  @Option(
      names = "--rate",
      defaultValue = "0",
      description = "Requests a second (default: ${DEFAULT-VALUE}, which is a closed loop).")
  private double rate;

  @Option(
      names = "--positions",
      defaultValue = "1",
      description = "Positions of a request (default: ${DEFAULT-VALUE}).")
  private int positions;

  @Option(
      names = "--riders",
      defaultValue = "10000",
      description = "Riders whose positions are sent (default: ${DEFAULT-VALUE}).")
  private int riders;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description = "Event loops (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--pipeline",
      defaultValue = "1",
      description = "Requests in flight on a connection (default: ${DEFAULT-VALUE}).")
  private int pipeline;

  @Option(names = "--ids", description = "Give each position an id of its own.")
  private boolean ids;

  @Option(
      names = "--hgrm",
      description = "Write the latencies' distribution, in ms, into this file.")
  private @Nullable Path hgrm;

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadPlan plan = options.plan(rate, 0, threads, pipeline, DRAIN_SECONDS);
    List<PositionsWorkload> lanes = lanes();
    RunResult result =
        new LoadRun(plan, lanes::get)
            .ofServer(options.serverPid())
            .telling((perSecond, _) -> options.tell("%,.0f requests/s".formatted(perSecond)))
            .run();
    LoadReport report = LoadReport.of(result, positions, lanes);
    System.out.print(report.table());
    options.write(report.json());
    if (hgrm != null) {
      try (PrintStream out = new PrintStream(Files.newOutputStream(hgrm))) {
        result.latencies().outputPercentileDistribution(out, 1e6);
      }
    }
    return report.valid() ? 0 : VOID;
  }

  private List<PositionsWorkload> lanes() {
    try {
      PositionsWorkload.Plan plan =
          new PositionsWorkload.Plan("/v1/" + route, key, positions, riders, ids);
      return IntStream.range(0, threads)
          .mapToObj(lane -> new PositionsWorkload(plan, lane, threads))
          .toList();
    } catch (IllegalArgumentException wrong) {
      throw options.misused(String.valueOf(wrong.getMessage()));
    }
  }
}
