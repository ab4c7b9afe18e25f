package gilmok.lab.load;

import gilmok.lab.ProcessorClock;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

  @Option(names = "--url", defaultValue = "http://127.0.0.1:8080", description = "${DEFAULT-VALUE}")
  private String url = "";

  @Option(names = "--route", defaultValue = "traces", description = "below /v1/: ${DEFAULT-VALUE}")
  private String route = "";

  @Option(names = "--key", defaultValue = "", description = "API key")
  private String key = "";

  @Option(names = "--connections", defaultValue = "256", description = "${DEFAULT-VALUE}")
  private int connections;

  @Option(names = "--rate", defaultValue = "0", description = "requests/s; 0: closed loop")
  private double rate;

  @Option(names = "--seconds", defaultValue = "20", description = "measured: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(names = "--warmup", defaultValue = "20", description = "seconds: ${DEFAULT-VALUE}")
  private int warmup;

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

  @Option(names = "--server-pid", defaultValue = "0", description = "to report its processor time")
  private long serverPid;

  @Option(names = "--json", description = "the report as JSON")
  private @Nullable Path json;

  @Option(names = "--hgrm", description = "the latencies' distribution, in ms")
  private @Nullable Path hgrm;

  @Option(names = "--quiet", description = "no progress")
  private boolean quiet;

  @Override
  public Integer call() throws IOException, InterruptedException {
    URI target = URI.create(url);
    String host = target.getHost() == null ? "" : target.getHost();
    if (!InetAddress.getByName(host).isLoopbackAddress()) {
      System.err.println("only servers of this machine may be loaded, not " + url);
      return MISUSED;
    }
    LoadPlan plan;
    try {
      plan = plan(host, target.getPort() < 0 ? 80 : target.getPort());
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      return MISUSED;
    }
    ProcessorClock server = serverPid == 0 ? null : new ProcessorClock(serverPid);
    LoadReport report = new LoadRun(plan, server, quiet ? line -> {} : System.err::println).run();
    System.out.print(report.table());
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

  private LoadPlan plan(String host, int port) {
    return new LoadPlan(
        host,
        port,
        "/v1/" + route,
        key,
        connections,
        rate,
        Duration.ofSeconds(warmup),
        Duration.ofSeconds(seconds),
        positions,
        riders,
        threads,
        pipeline,
        ids,
        Duration.ofSeconds(10));
  }
}
