package gilmok.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assumptions;

/** A real nginx on a free port of loopback, in a folder of its own. */
final class Nginx implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/sbin/nginx");

  private final Path folder;
  private final int port;
  private final Process process;

  private Nginx(Path folder, int port, Process process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /**
   * Starts nginx. Where there is none, the test fails in CI and is skipped elsewhere.
   *
   * @param folder for its configuration and its files
   * @param http the content of its {@code http} block, where servers {@code listen 80}
   */
  static Nginx start(Path folder, String http) throws Exception {
    if (!Files.isExecutable(PROGRAM) && System.getenv("CI") != null) {
      throw new AssertionError("nginx is not installed: apt-get install nginx");
    }
    Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "without nginx this is not tested");
    int port = freePort();
    write(folder, http, port);
    Process process =
        new ProcessBuilder(List.of(PROGRAM.toString(), "-p", folder.toString(), "-c", "nginx.conf"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("nginx.out").toFile())
            .start();
    Nginx nginx = new Nginx(folder, port, process);
    try {
      Program.await(nginx::answers);
    } catch (Exception | AssertionError failed) {
      nginx.close();
      throw new AssertionError(Files.readString(folder.resolve("nginx.out")), failed);
    }
    return nginx;
  }

  private static void write(Path folder, String http, int port) throws IOException {
    Files.writeString(
        folder.resolve("nginx.conf"),
        """
        daemon off;
        pid nginx.pid;
        error_log stderr;
        events {}
        http {
          access_log off;
          client_body_temp_path body;
          proxy_temp_path proxy;
          fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi;
          scgi_temp_path scgi;
        """
            + http.replace("listen 80;", "listen 127.0.0.1:" + port + ";")
            + "}\n");
  }

  /** Has it take another content of the block {@code http} (SIGHUP); requests go on. */
  void reload(String http) throws Exception {
    write(folder, http, port);
    Program.signal(process, "HUP");
  }

  /** A port on which nothing listens now. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.onExit().get(10, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException hangs) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
