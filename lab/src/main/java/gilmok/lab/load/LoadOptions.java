package gilmok.lab.load;

import gilmok.lab.options.Timing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every command that loads a server. */
public final class LoadOptions {
  private static final int HTTP_PORT = 80;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--url",
      defaultValue = "${env:GILMOK_URL:-http://127.0.0.1:8080}",
      paramLabel = "URL",
      description = "The server's URL (default: ${DEFAULT-VALUE}).")
  private URI url = URI.create("http://127.0.0.1:8080");

  @Option(
      names = "--connections",
      defaultValue = "256",
      description = "Connections to the server (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Mixin private Timing timing = new Timing(20, 20);

  @Option(
      names = "--server-pid",
      defaultValue = "0",
      paramLabel = "PID",
      description =
          "The server's process, to report its processor time (default: "
              + "${DEFAULT-VALUE}, none).")
  private long serverPid;

  @Option(names = "--json", description = "Write the report as JSON into this file.")
  private @Nullable Path json;

  @Option(names = "--quiet", description = "Show no progress.")
  private boolean quiet;

  /** The URL of the server. */
  public URI url() {
    return url;
  }

  /** The server's process id; 0 if it is unknown. */
  public long serverPid() {
    return serverPid;
  }

  /**
   * A plan from these options. Ends the command with a message if they are invalid or do not suit
   * this machine.
   */
  public LoadPlan plan(double rate, double ramp, int threads, int pipeline, int drainSeconds) {
    String host = url.getHost() == null ? "" : url.getHost();
    int port = url.getPort() < 0 ? HTTP_PORT : url.getPort();
    InetSocketAddress server = new InetSocketAddress(host, port);
    try {
      if (server.isUnresolved() || !server.getAddress().isLoopbackAddress()) {
        throw new IllegalArgumentException(
            "only servers of this machine may be loaded, not " + url);
      }
      return new LoadPlan(
          List.of(server),
          connections,
          rate,
          LoadPlan.duration(ramp),
          LoadPlan.duration(timing.warmup()),
          LoadPlan.duration(timing.seconds()),
          0,
          threads,
          pipeline,
          Duration.ofSeconds(drainSeconds));
    } catch (IllegalArgumentException wrong) {
      throw misused(String.valueOf(wrong.getMessage()));
    }
  }

  /** The exception that ends the command because of invalid options. */
  public RuntimeException misused(String why) {
    return spec == null
        ? new IllegalArgumentException(why)
        : new ParameterException(spec.commandLine(), why);
  }

  /** Prints a line of progress, if that is wanted. */
  public void tell(String line) {
    if (!quiet) {
      System.err.println(line);
    }
  }

  /** Writes the report to its file, if there is one. */
  public void write(String report) throws IOException {
    if (json != null) {
      Files.writeString(json, report);
    }
  }
}
