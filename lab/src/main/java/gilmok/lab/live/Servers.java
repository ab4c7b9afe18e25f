package gilmok.lab.live;

import gilmok.lab.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts what is measured, each as a process of its own on a free port of loopback. */
final class Servers {
  static final String KEY = "live-report-key-0123456789";

  private static final Duration READY_WAIT = Duration.ofMinutes(2);

  private final Path labJar;
  private final Path work;

  Servers(Path labJar, Path work) {
    this.labJar = labJar;
    this.work = work;
  }

  static Path ownJar() throws IOException {
    Path jar = Path.of(System.getProperty("java.class.path"));
    if (!Files.isRegularFile(jar)) {
      throw new IOException("this runs from gilmok-lab-all.jar only");
    }
    return jar.toAbsolutePath();
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The server of this build. */
  Subject gilmok(String heap, List<String> more) throws IOException, InterruptedException {
    int port = freePort();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "serve",
                "--port",
                Integer.toString(port),
                "--data",
                Files.createDirectories(work.resolve("data-" + port)).toString(),
                "--set",
                "http.host=127.0.0.1",
                "--set",
                "log.retention=10s"));
    arguments.addAll(more);
    List<String> options =
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx" + heap,
            "-XX:+UseG1GC");
    Path jar = labJar.resolve("../../../server/target/gilmok-all.jar").normalize();
    Subject subject =
        Subject.start(
            "gilmok",
            Subject.java(options, jar, arguments),
            Map.of("GILMOK_ADMIN_KEY", KEY),
            port,
            work.resolve("gilmok-" + port + ".out"));
    subject.awaitAnswer("/health/ready", status -> status == 200, READY_WAIT);
    return subject;
  }

  /** A Redis that keeps nothing on disk. */
  Subject redis(String program) throws IOException, InterruptedException {
    int port = freePort();
    Subject subject =
        Subject.start(
            "redis",
            List.of(
                program,
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                work.toString()),
            Map.of(),
            port,
            work.resolve("redis.out"));
    subject.awaitPort(READY_WAIT);
    return subject;
  }

  /** The metrics of the server of this build. */
  static List<String> metrics(Subject gilmok) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(gilmok.url() + "/metrics"))
              .header("X-Api-Key", KEY)
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body().lines().toList();
    }
  }
}
