package gilmok.lab.fleet;

import gilmok.cli.CommandFailure;
import gilmok.config.InvalidSettings;
import gilmok.lab.ScratchFolder;
import gilmok.process.ServeCommand;
import gilmok.process.ServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gilmok demo}: a server with a simulated fleet in the same process, so that one signal ends
 * both and nothing is left. Exits with 0 after a signal, 1 when the server cannot start.
 */
@Command(
    name = "demo",
    description = {
      "Run a server with a simulated fleet that delivers in Seoul, and print the "
          + "map's URL. It runs until Ctrl-C."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok demo",
      "  gilmok demo --riders 5000 --speed 5",
      "  gilmok demo --port 9000 --data demo-data"
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int CONNECTIONS = 16;
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  @Mixin private FleetOptions options = new FleetOptions();

  @Option(
      names = "--port",
      defaultValue = "8080",
      description = "The port to listen on, 0 for a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--apps",
      split = ",",
      defaultValue = "traces,osmand,traccar,overland,owntracks",
      paramLabel = "APP",
      description = "The phones' dialects, in turn (default: ${DEFAULT-VALUE}).")
  private List<String> apps = List.of();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "A data folder to keep (default: a temporary one).")
  private @Nullable Path data;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "The server's admin key, for the map, too (default: one is made, and "
              + "another for the map).")
  private @Nullable String key;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<AppDialect> dialects;
    try {
      dialects = FleetCommand.dialects(apps);
    } catch (IllegalArgumentException wrong) {
      System.err.println("gilmok: " + wrong.getMessage());
      return MISUSED;
    }
    Path kept = data;
    return serve(kept == null ? scratch("gilmok-demo-") : kept, dialects);
  }

  /** Makes a folder that goes with this process. */
  private static Path scratch(String prefix) throws IOException {
    Path folder = ScratchFolder.create(null, prefix);
    // For a signal before the server handles signals, or a start that fails.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> sweep(folder), "sweeper"));
    return folder;
  }

  private int serve(Path folder, List<AppDialect> dialects)
      throws IOException, InterruptedException {
    Path city = scratch("gilmok-demo-map-").resolve("city.pmtiles");
    CityMap.write(city, options.seed());
    Map<String, String> settings = new HashMap<>();
    settings.put("map.tiles-file", city.toString());
    settings.put("http.port", Integer.toString(port));
    settings.put("data", folder.toString());
    // A user is waiting for the map, and one fleet is little load.
    settings.put("warm-up.on", "false");
    if (data == null) {
      settings.put("log.retention", "1 h");
    }
    if (key != null) {
      settings.put("admin-key", key);
    }
    try {
      return ServeCommand.withGuest(settings, new DemoGuest(dialects, folder));
    } catch (InvalidSettings invalid) {
      invalid.problems().forEach(problem -> System.err.println("gilmok: " + problem));
      return MISUSED;
    } catch (CommandFailure failure) {
      System.err.println("gilmok: " + failure.getMessage());
      return FAILED;
    }
  }

  private static void sweep(Path folder) {
    try {
      ScratchFolder.delete(folder);
    } catch (IOException busy) {
      System.err.println("gilmok: " + folder + " could not be removed: " + busy.getMessage());
    }
  }

  /** The fleet, as an extension of the server. */
  private final class DemoGuest implements ServerExtension {
    private final List<AppDialect> dialects;
    private final Path folder;
    private @Nullable FleetRun run;
    private @Nullable DemoDay day;
    private @Nullable DemoTeams teams;
    private @Nullable FleetProgress progress;

    DemoGuest(List<AppDialect> dialects, Path folder) {
      this.dialects = dialects;
      this.folder = folder;
    }

    @Override
    public void arrive(int listening, @Nullable Path adminKeyFile)
        throws IOException, InterruptedException {
      String url = "http://127.0.0.1:" + listening;
      DemoKeys keys = DemoKeys.at(url, key, adminKey(adminKeyFile));
      FleetTarget target = FleetTarget.of(url, keys.phones());
      Fleet.Plan plan = options.plan();
      System.out.printf("%,d riders deliver in Seoul.%n%n", plan.riders());
      System.out.printf("  Open %s/ and paste this key: %s%n%n", url, keys.map());
      System.out.println(
          data == null
              ? "Ctrl-C ends it, and nothing stays."
              : "Ctrl-C ends it; the data stays in " + folder + ".");
      System.out.flush();
      DemoDay orders = new DemoDay(url, keys.desk(), plan, DemoGuest::show);
      day = orders;
      FleetRun started = FleetRun.start(plan, target, dialects, CONNECTIONS, orders.watcher());
      run = started;
      teams = new DemoTeams(url, keys.desk(), plan.riders(), dialects);
      progress = new FleetProgress(System.err, started, options.quiet(), orders::line);
    }

    private static void show(String page) {
      FleetProgress.say(System.out, "  What a customer sees: " + page);
    }

    private String adminKey(@Nullable Path file) throws IOException {
      if (file != null) {
        return Files.readString(file).strip();
      }
      return key != null ? key : Objects.requireNonNullElse(System.getenv("GILMOK_ADMIN_KEY"), "");
    }

    @Override
    public void leave() {
      if (progress != null) {
        progress.close();
      }
      if (teams != null) {
        teams.close();
      }
      if (run != null) {
        run.close();
        if (!options.quiet()) {
          System.out.println(run.account().line(run.riders(), 0));
        }
      }
      if (day != null) {
        if (!options.quiet()) {
          System.out.println(day.line());
        }
        day.close();
      }
    }
  }
}
