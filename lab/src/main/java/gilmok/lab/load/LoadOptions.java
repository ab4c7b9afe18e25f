package gilmok.lab.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every command that loads a server is told: which one, for how long, how to report. */
final class LoadOptions {
  private static final int HTTP_PORT = 80;

  @Option(names = "--url", defaultValue = "http://127.0.0.1:8080", description = "${DEFAULT-VALUE}")
  String url = "";

  @Option(names = "--connections", defaultValue = "256", description = "${DEFAULT-VALUE}")
  int connections;

  @Option(names = "--warmup", defaultValue = "20", description = "seconds: ${DEFAULT-VALUE}")
  int warmup;

  @Option(names = "--seconds", defaultValue = "20", description = "measured: ${DEFAULT-VALUE}")
  int seconds;

  @Option(names = "--server-pid", defaultValue = "0", description = "to report its processor time")
  long serverPid;

  @Option(names = "--json", description = "the report as JSON")
  @Nullable Path json;

  @Option(names = "--quiet", description = "no progress")
  boolean quiet;

  /** Whether the server is one of this machine; says so where it is not. */
  boolean isOfThisMachine() throws IOException {
    boolean isLoopback = InetAddress.getByName(host()).isLoopbackAddress();
    if (!isLoopback) {
      System.err.println("only servers of this machine may be loaded, not " + url);
    }
    return isLoopback;
  }

  String host() {
    String host = URI.create(url).getHost();
    return host == null ? "" : host;
  }

  int port() {
    int port = URI.create(url).getPort();
    return port < 0 ? HTTP_PORT : port;
  }
}
