package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program.Ended;
import gilmok.log.CleanMark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a server's process, from its start to its end, as load balancers see it. */
@Tag("engine")
final class LifeIT {
  private static final String KEY = "a-key-for-the-test-of-life";

  @TempDir Path data;

  @Test
  void term_withGrace_isNotReady_andServesAndTellsToClose() throws Exception {
    try (Program server =
            Program.serve(
                data, "--only=collect", "--set=admin-key=" + KEY, "--set=stop.grace=4 s");
        Kept kept = new Kept(server.uri(""))) {
      assertThat(kept.post("first")).contains("202").doesNotContain("connection: close");
      server.terminate();
      Program.await(() -> ask(server.uri(""), "/health/ready").contains("503"));
      assertThat(kept.post("second")).contains("202").contains("connection: close");
      assertThat(kept.isOver()).isTrue();
      assertThat(ask(server.uri(""), "/health/ready")).contains("503").contains("stopping");
      try (Kept late = new Kept(server.uri(""))) {
        assertThat(late.post("third")).contains("202").contains("connection: close");
      }
      Ended ended = server.end();
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err()).contains("not ready any more").contains("stopped");
    }
    assertThat(CleanMark.isAtEndOf(data)).isTrue();
  }

  /** Kubernetes sets these variables in each pod of a namespace with a service named gilmok. */
  @Test
  void start_besideAServiceOfItsName_isReady_andNamesItsVariablesOnce() throws Exception {
    Map<String, String> links =
        Map.of(
            "GILMOK_PORT", "tcp://10.96.0.17:8080",
            "GILMOK_SERVICE_HOST", "10.96.0.17",
            "GILMOK_PORT_8080_TCP_ADDR", "10.96.0.17");
    String[] serving = Program.serving(data).toArray(String[]::new);
    try (Program server = Program.startIn(links, serving)) {
      server.awaitReady();
      assertThat(ask(server.uri(""), "/health/ready")).contains("200");
      server.terminate();
      Ended ended = server.end();
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err().lines().filter(line -> line.contains("GILMOK_PORT_8080_TCP_ADDR")))
          .hasSize(1)
          .allMatch(line -> line.contains("enableServiceLinks"));
    }
  }

  @Test
  void term_whileWarming_endsAtOnce_andLeavesNothing() throws Exception {
    int port = Nginx.freePort();
    URI uri = URI.create("http://127.0.0.1:" + port);
    try (Program server =
        Program.start(
            "serve",
            "--port=" + port,
            "--data=" + data,
            "--only=collect",
            "--set=http.host=127.0.0.1",
            "--set=admin-key=" + KEY,
            "--set=warm-up.limit=10 min")) {
      Program.await(() -> ask(uri, "/health/ready").contains("\"warm-up\"") && hasTwin());
      assertThat(ask(uri, "/health/live")).contains("200");
      try (Kept early = new Kept(uri)) {
        assertThat(early.post("early"))
            .contains("503")
            .contains("retry-after")
            .contains("errors#warming\"");
      }
      server.terminate();
      Ended ended = server.end();
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err()).contains("stopped");
      assertThat(ended.said()).isEmpty();
      assertThat(ended.out()).doesNotContain("is ready");
    }
    assertThat(hasTwin()).isFalse();
    assertThat(CleanMark.isAtEndOf(data)).isTrue();
  }

  /** Whether the folder of the warm-up's shadow server exists. */
  private boolean hasTwin() throws IOException {
    try (Stream<Path> all = Files.list(data)) {
      return all.anyMatch(path -> path.getFileName().toString().startsWith("warmup-"));
    }
  }

  /** The answer to one request on a connection of its own; empty when there is none. */
  private static String ask(URI server, String path) {
    try (Kept one = new Kept(server)) {
      return one.ask("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    } catch (IOException away) {
      return "";
    }
  }

  /** A keep-alive connection. */
  private static final class Kept implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    Kept(URI server) throws IOException {
      socket = new Socket(server.getHost(), server.getPort());
      socket.setSoTimeout(30_000);
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    String post(String id) throws IOException {
      String body = "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1,\"id\":\"" + id + "\"}";
      return ask(
          String.join(
              "\r\n",
              List.of(
                  "POST /v1/traces HTTP/1.1",
                  "Host: x",
                  "X-Api-Key: " + KEY,
                  "Content-Type: application/json",
                  "Content-Length: " + body.length(),
                  "",
                  body)));
    }

    /** Sends a request; returns the answer, its head in lower case. */
    String ask(String request) throws IOException {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder answer = new StringBuilder();
      int length = 0;
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        String small = line.toLowerCase(Locale.ROOT);
        answer.append(small).append('\n');
        if (small.startsWith("content-length:")) {
          length = Integer.parseInt(small.substring("content-length:".length()).strip());
        }
      }
      char[] body = new char[length];
      for (int got = 0; got < length; ) {
        int more = in.read(body, got, length - got);
        if (more < 0) {
          throw new IOException("cut off");
        }
        got += more;
      }
      return answer.append(body).toString();
    }

    /** Whether the server has closed the connection. */
    boolean isOver() {
      try {
        return in.read() < 0;
      } catch (IOException reset) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
