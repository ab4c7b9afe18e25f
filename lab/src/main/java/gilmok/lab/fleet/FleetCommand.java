package gilmok.lab.fleet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab fleet}: simulates a fleet in Seoul that sends its positions to a server. Exits with 0
 * when its time is over, 1 when the server accepts nothing.
 */
@Command(
    name = "fleet",
    description = {"Run a simulated fleet in Seoul that sends its positions to a server."},
    footer = {
      "",
      "Examples:",
      "  gilmok lab fleet --key \"$(cat data/admin.key)\" --riders 20 --seconds 3",
      "  gilmok lab fleet --key \"$(cat data/admin.key)\" --riders 2000",
      "",
      "The second runs until Ctrl-C."
    })
public final class FleetCommand implements Callable<Integer> {
  private static final int CONNECTIONS_MAX = 1_000;
  private static final int MISUSED = 2;

  @Option(
      names = "--url",
      defaultValue = "${env:GILMOK_URL:-http://127.0.0.1:8080}",
      paramLabel = "URL",
      description = "The server's URL (default: ${DEFAULT-VALUE}).")
  private String url = "";

  @Option(
      names = "--key",
      required = true,
      paramLabel = "KEY",
      description = "The API key, with the scope collect.")
  private String key = "";

  @Mixin private FleetOptions options = new FleetOptions();

  @Option(
      names = "--apps",
      split = ",",
      defaultValue = "traces",
      paramLabel = "APP",
      description =
          "The phones' dialects, in turn: traces, osmand, traccar, overland, "
              + "owntracks (default: ${DEFAULT-VALUE}).")
  private List<String> apps = List.of();

  @Option(
      names = "--connections",
      defaultValue = "16",
      description = "Connections to the server (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--seconds",
      defaultValue = "0",
      description = "How long (default: ${DEFAULT-VALUE}, until Ctrl-C).")
  private int seconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    FleetTarget target;
    List<AppDialect> dialects;
    try {
      target = FleetTarget.of(url, key.strip());
      dialects = dialects(apps);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      return MISUSED;
    }
    Fleet.Plan plan = options.plan();
    int lines = Math.clamp(connections, 1, CONNECTIONS_MAX);
    FleetRun run = FleetRun.start(plan, target, dialects, lines);
    FleetProgress progress = new FleetProgress(System.err, run, options.quiet(), () -> "");
    Thread ending =
        new Thread(
            () -> {
              progress.close();
              run.close();
              System.out.println(run.account().line(run.riders(), 0));
            },
            "ending");
    Runtime.getRuntime().addShutdownHook(ending);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (run.trouble() == null && (seconds == 0 || System.nanoTime() < end)) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    if (run.trouble() != null) {
      System.err.println(run.trouble());
      return 1;
    }
    return 0;
  }

  static List<AppDialect> dialects(List<String> names) {
    List<AppDialect> dialects = new ArrayList<>();
    for (String name : names) {
      dialects.add(
          List.of(AppDialect.values()).stream()
              .filter(dialect -> dialect.label().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "--apps "
                              + name
                              + ": there are traces, osmand, traccar, overland and owntracks")));
    }
    return dialects;
  }
}
