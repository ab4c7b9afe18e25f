package gilmok.process;

import gilmok.app.ServerConfig;
import gilmok.cli.CliCommand;
import gilmok.cli.SettingsOptions;
import gilmok.config.Settings;
import gilmok.config.SettingsReader;
import gilmok.config.SettingsSources;
import gilmok.observe.Logging;
import gilmok.runtime.Signals;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gilmok serve}: starts the server and runs until it is told to stop. */
@Command(
    name = ServeCommand.NAME,
    description = {
      "Start the server, and run it until it is told to stop.",
      "",
      "Every setting is a dashed key: in the YAML file, as --set key=value, or in the environment as"
          + " GILMOK_ and the key in capitals (GILMOK_LOG_BYTES_MAX). The start logs those that"
          + " differ from the defaults; --print-settings prints all, and docs/settings.md explains"
          + " them. A secret can be in a file: --set redis.url-file=/run/secrets/redis-url.",
      "",
      "SIGTERM or Ctrl-C stops it gracefully. SIGHUP makes it read settings and their files again;"
          + " the log says which changes are in force and which wait for the next start."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok serve",
      "  gilmok serve --port 9000 --data fleet-data --config gilmok.yaml",
      "  gilmok serve --set log.bytes-max=100GiB --only collect",
      "",
      "It runs until Ctrl-C, and is ready after about half a minute, with --no-warmup",
      "at once."
    })
public final class ServeCommand extends CliCommand implements Callable<Integer> {
  static final String NAME = "serve";

  private static final System.Logger LOG = System.getLogger("gilmok");

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port to listen on (http.port; default: 8080; 0: a free one).")
  private @Nullable String port;

  @Option(
      names = "--only",
      paramLabel = "PARTS",
      description =
          "Run only these parts: collect, positions, sinks, deliveries, run-sheets,"
              + " statements, missions (only; default: all).")
  private @Nullable String only;

  @Option(
      names = "--no-warmup",
      description = "Be ready at once, but slow at first, for development (warm-up.on=false).")
  private boolean noWarmup;

  @Option(
      names = "--until-ready",
      description =
          "Start, warm up and stop; exit with 0 if it became ready. This tries settings, and trains"
              + " the AOT cache.")
  private boolean untilReady;

  @Option(
      names = "--print-settings",
      description = "Print every setting with the value in force, secrets hidden, and exit.")
  private boolean printsSettings;

  @Mixin private SettingsOptions options = new SettingsOptions();

  private final Signals signals;

  /** A command in a process whose signals may be handled already. */
  public ServeCommand(Signals signals) {
    this.signals = signals;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (printsSettings) {
      Settings all = settings();
      ServerConfig _ = ServerConfig.from(all);
      PrintWriter out = out();
      all.effective().forEach((key, value) -> out.println(key + " = " + value));
      return 0;
    }
    try (Logging logging = Logging.start(Level.INFO)) {
      return serve(logging);
    }
  }

  private int serve(Logging logging) throws IOException, InterruptedException {
    Launch launch = Launch.of(this::settings, logging, signals);
    Settings asked = launch.settings();
    if (!asked.links().isEmpty()) {
      LOG.log(
          Level.INFO,
          "ignored, as Kubernetes sets these variables for services and they are no settings: {0};"
              + " enableServiceLinks: false switches them off",
          String.join(", ", asked.links()));
    }
    ServerExtension greeting = ServerRunner.greeting(launch.config());
    return new ServerRunner(launch).live(greeting, untilReady);
  }

  private Settings settings() throws IOException {
    SettingsSources sources = options.sources();
    SettingsOptions.lay(sources, "http.port", port);
    SettingsOptions.lay(sources, "only", only);
    SettingsOptions.lay(sources, "warm-up.on", noWarmup ? "false" : null);
    return new Settings(sources);
  }

  /**
   * Serves with an extension in the process, as {@code serve} does without one; logs only warnings,
   * unless the settings say otherwise.
   *
   * @param settings as with {@code --set}; they take precedence over the environment
   * @return the exit code
   */
  public static int withGuest(Map<String, String> settings, ServerExtension serverExtension)
      throws IOException, InterruptedException {
    Signals signals = new Signals();
    signals.hear();
    SettingsReader reader =
        () -> {
          SettingsSources sources = new SettingsSources();
          sources.file(Map.of("logging.level", "warning"));
          sources.environment(System.getenv());
          settings.forEach(sources::option);
          return new Settings(sources);
        };
    try (Logging logging = Logging.start(Level.WARNING)) {
      Launch launch = Launch.of(reader, logging, signals);
      return new ServerRunner(launch).live(serverExtension, false);
    }
  }
}
