package gilmok.lab.capacity;

import gilmok.lab.LabClient;
import gilmok.lab.Metrics;
import gilmok.lab.Reply;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server whose limit is looked for: one that is started for it, or one that runs already.
 * Thread-safe; blocks.
 */
final class CapacityTarget implements AutoCloseable {
  private static final Duration READY_WAIT = Duration.ofMinutes(3);
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(30);
  private static final int HTTP_PORT = 80;

  private final String name;
  private final URI url;
  private final String key;
  private final @Nullable Subject subject;
  private final LabClient client;

  /** What kind of server is started. */
  enum Kind {
    /** The server of this build. */
    GILMOK,
    /** The collecting endpoint without a disk: what HTTP and parsing alone can take. */
    BARE,
    /** The collecting endpoint in Spring WebFlux, which stores nothing. */
    WEBFLUX;

    /** Its name in reports. */
    String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * How a server is started.
   *
   * @param before what runs it, as {@code taskset -c 0}; mostly empty
   * @param heap its heap, in Java's notation
   * @param arguments more arguments of {@code serve}
   */
  record Start(List<String> before, String heap, List<String> arguments) {}

  private CapacityTarget(String name, URI url, String key, @Nullable Subject subject) {
    this.name = name;
    this.url = url;
    this.key = key;
    this.subject = subject;
    this.client = new LabClient(url.toString(), key, ANSWER_WAIT);
  }

  /** A server that runs already. */
  static CapacityTarget running(URI url, String key) throws IOException, InterruptedException {
    if (!"http".equals(url.getScheme()) || url.getHost() == null) {
      throw new IOException(
          url
              + ": the load speaks HTTP without TLS; name the server's own port, as"
              + " http://127.0.0.1:8080");
    }
    CapacityTarget target = new CapacityTarget("server", url, key, null);
    try {
      Reply ready = target.client.get("/health/ready");
      if (ready.status() != 200) {
        throw new IOException(url + " is not ready: " + ready);
      }
      LabClient.good("the ledger, with this key", target.client.get("/v1/ledger"));
      return target;
    } catch (IOException | InterruptedException failed) {
      target.close();
      throw failed;
    }
  }

  /** Starts a server and waits until it answers. */
  static CapacityTarget start(Kind kind, Start how, Path jar, Path work)
      throws IOException, InterruptedException {
    int port = Servers.freePort();
    List<String> command = new ArrayList<>(how.before);
    command.addAll(command(kind, how, jar, work, port));
    Subject subject =
        Subject.start(
            kind.label(),
            command,
            Map.of("GILMOK_ADMIN_KEY", Servers.KEY),
            port,
            work.resolve(kind.label() + "-" + port + ".out"));
    try {
      subject.awaitAnswer(
          kind == Kind.GILMOK ? "/health/ready" : "/",
          status -> status == 200 || (kind == Kind.WEBFLUX && status == 404),
          READY_WAIT);
    } catch (IOException | InterruptedException failed) {
      subject.close();
      throw failed;
    }
    return new CapacityTarget(kind.label(), URI.create(subject.url()), Servers.KEY, subject);
  }

  private static List<String> command(Kind kind, Start how, Path jar, Path work, int port)
      throws IOException {
    List<String> options = new ArrayList<>(Servers.JVM);
    String listen = Integer.toString(port);
    if (kind == Kind.WEBFLUX) {
      return Subject.java(options, jar, List.of("--server.port=" + listen)); // by its own defaults
    }
    options.addAll(
        List.of(
            "-Xmx" + how.heap,
            "-XX:+UseG1GC",
            "-XX:+UseTransparentHugePages",
            "-XX:+ExitOnOutOfMemoryError"));
    if (kind == Kind.BARE) {
      return Subject.java(options, jar, List.of("bare", "--port", listen));
    }
    Path data = Files.createDirectories(work.resolve("data-" + port));
    List<String> arguments = Servers.serve(port, data);
    arguments.addAll(how.arguments);
    return Subject.java(options, jar, arguments);
  }

  /** Its name in reports. */
  String name() {
    return name;
  }

  /** Whether it is a Gilmok, with metrics, a ledger and a health check. */
  boolean isOurs() {
    return subject == null || name.equals(Kind.GILMOK.label());
  }

  /** Its URL. */
  URI url() {
    return url;
  }

  /** The key that is sent to it. */
  String key() {
    return key;
  }

  /** A client of it. */
  LabClient client() {
    return client;
  }

  /** Its address. */
  InetSocketAddress address() {
    return new InetSocketAddress(url.getHost(), url.getPort() < 0 ? HTTP_PORT : url.getPort());
  }

  /** Its process on this machine; 0 if there is none that can be looked at. */
  long pid() {
    return subject == null ? ListeningProcess.of(address()) : subject.pid();
  }

  /** Its metrics; empty if they cannot be read now. */
  Metrics metrics() throws InterruptedException {
    if (!isOurs()) {
      return new Metrics(List.of());
    }
    try {
      return new Metrics(
          client.get("/metrics").body().lines().filter(CapacityTarget::isLookedAt).toList());
    } catch (IOException tooBusy) {
      return new Metrics(List.of());
    }
  }

  /** Buckets and comments are many, and nothing here reads them. */
  private static boolean isLookedAt(String line) {
    return !line.startsWith("#") && !line.contains("_bucket{");
  }

  /** Throws with its last words if it was started here and has ended. */
  void requireAlive() throws IOException {
    if (subject != null && !subject.alive()) {
      throw new IOException(name + " ended under the load; it said last:\n" + subject.lastOutput());
    }
  }

  @Override
  public void close() {
    client.close();
    if (subject != null) {
      subject.close();
    }
  }
}
