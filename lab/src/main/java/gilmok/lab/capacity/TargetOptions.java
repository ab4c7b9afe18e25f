package gilmok.lab.capacity;

import gilmok.lab.Servers;
import gilmok.lab.Shell;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which server is loaded, how it is started, and by what load. */
final class TargetOptions {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "A server that runs (default: one is started, with data of its own).")
  private @Nullable URI url;

  @Option(
      names = "--key",
      defaultValue = "${env:GILMOK_KEY:-}",
      paramLabel = "KEY",
      description = "Its key, with the scope admin (default: GILMOK_KEY).")
  private String key = "";

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the server that is started.")
  private List<String> settings = List.of();

  @Option(
      names = "--heap",
      defaultValue = "512m",
      paramLabel = "SIZE",
      description = "Its heap (default: ${DEFAULT-VALUE}).")
  private String heap = "";

  @Option(
      names = "--server-cpus",
      paramLabel = "LIST",
      description = "The processors that it may use, as 0 or 0-3 (default: all).")
  private @Nullable String serverCpus;

  @Option(
      names = "--load-cpus",
      paramLabel = "LIST",
      description = "The processors that the load may use (default: all).")
  private @Nullable String loadCpus;

  @Option(
      names = "--connections",
      defaultValue = "4000",
      paramLabel = "N",
      description =
          "Connections to the server: each phone has one of its own, so that what is due waits at"
              + " the server and not here (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--load-threads",
      defaultValue = "1",
      paramLabel = "N",
      description = "Event loops of the load (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Where the server's data goes (default: a temporary folder).")
  private @Nullable Path work;

  @Option(
      names = "--server-jar",
      paramLabel = "FILE",
      description = "The server (default: server/target/gilmok-all.jar).")
  private @Nullable Path serverJar;

  @Option(
      names = "--webflux-jar",
      paramLabel = "FILE",
      description = "WebFlux (default: lab/baselines/webflux/target/webflux.jar).")
  private @Nullable Path webfluxJar;

  /** The folder for data; null for the system's. */
  @Nullable Path work() {
    return work;
  }

  /** What the load has. */
  StepRunner.Means means() {
    return new StepRunner.Means(connections, threads);
  }

  /** The server that is to be loaded. */
  CapacityTarget open(Path folder) throws IOException, InterruptedException {
    pinLoad();
    return url == null
        ? start(CapacityTarget.Kind.GILMOK, folder)
        : CapacityTarget.running(url, key.strip());
  }

  /** Starts a server. */
  CapacityTarget start(CapacityTarget.Kind kind, Path folder)
      throws IOException, InterruptedException {
    List<String> before = serverCpus == null ? List.of() : List.of("taskset", "-c", serverCpus);
    // What phones sent is not kept for long: a search sends as much as the disk takes.
    List<String> arguments = new ArrayList<>(List.of("--set", "log.retention=10s"));
    settings.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    return CapacityTarget.start(
        kind, new CapacityTarget.Start(before, heap, arguments), jar(kind), folder);
  }

  private Path jar(CapacityTarget.Kind kind) throws IOException {
    return switch (kind) {
      case GILMOK ->
          serverJar == null ? Servers.root().resolve("server/target/gilmok-all.jar") : serverJar;
      case BARE -> Servers.ownJar();
      case WEBFLUX ->
          webfluxJar == null
              ? Servers.root().resolve("lab/baselines/webflux/target/webflux.jar")
              : webfluxJar;
    };
  }

  private void pinLoad() throws IOException, InterruptedException {
    if (loadCpus != null) {
      String pid = Long.toString(ProcessHandle.current().pid());
      String _ = Shell.must("taskset", "-apc", loadCpus, pid);
    }
  }
}
