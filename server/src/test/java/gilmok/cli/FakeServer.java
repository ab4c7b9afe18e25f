package gilmok.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An HTTP server that records its requests and answers them as a test says. Thread-safe. */
final class FakeServer implements AutoCloseable {
  /** A request as it came; {@code key} is the header {@code X-Api-Key}. */
  record Asked(String method, String path, @Nullable String key, JsonNode body) {}

  /** One answer. */
  record Answer(int status, Map<String, String> headers, String body) {
    Answer(int status, String body) {
      this(status, Map.of(), body);
    }
  }

  private final JsonMapper mapper = new JsonMapper();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new ArrayList<>();
  private final Function<Asked, Answer> answers;
  private final HttpServer server;

  FakeServer(Function<Asked, Answer> answers) throws IOException {
    this.answers = answers;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /** A collector's answer to a batch that it accepts as a whole. */
  static Answer taken(Asked request) {
    return new Answer(
        202,
        """
        {"accepted":%d,"duplicates":0,"quarantined":[],
         "receipt":{"node":"n1","first":1,"last":%d}}"""
            .formatted(request.body().size(), request.body().size()));
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<Asked> asked() {
    synchronized (asked) {
      return List.copyOf(asked);
    }
  }

  /** All records of all requests, in the order in which they came. */
  List<JsonNode> records() {
    List<JsonNode> records = new ArrayList<>();
    asked().forEach(request -> request.body().forEach(records::add));
    return records;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Asked request =
        new Asked(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getPath(),
            exchange.getRequestHeaders().getFirst("X-Api-Key"),
            body.length == 0 ? mapper.createObjectNode() : mapper.readTree(body));
    synchronized (asked) {
      asked.add(request);
    }
    Answer answer = answers.apply(request);
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
