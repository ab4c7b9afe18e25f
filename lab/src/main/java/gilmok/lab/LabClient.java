package gilmok.lab;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;

/**
 * An HTTP client for one server, for requests whose speed is not measured or so low that a
 * connection for each calling thread suffices; load generators are in {@code gilmok.lab.load}.
 * Thread-safe; blocks.
 */
public final class LabClient implements AutoCloseable {
  private static final Duration USUAL_WAIT = Duration.ofSeconds(30);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .executor(threads)
          .build();
  private final String url;
  private final String key;
  private final Duration answerWait;

  /**
   * A client of a server.
   *
   * @param key the API key; empty for none
   * @param answerWait how long to wait for a response
   */
  public LabClient(String url, String key, Duration answerWait) {
    this.url = url;
    this.key = key;
    this.answerWait = answerWait;
  }

  /** A client of a server that this program started. */
  public LabClient(Subject server) {
    this(server.url(), Servers.KEY, USUAL_WAIT);
  }

  public Reply get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }

  public Reply post(String path, String body, String... headers)
      throws IOException, InterruptedException {
    return send("POST", path, body, headers);
  }

  /** Sends a request with the key and the given headers: names and values in turn. */
  public Reply send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    return Reply.of(exchange(method, path, body, headers));
  }

  /** The same; returns the response with its bytes and headers. */
  public HttpResponse<byte[]> exchange(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
    if (!key.isEmpty()) {
      request.header("X-Api-Key", key);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (body.isEmpty()) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.method(method, BodyPublishers.ofString(body));
      request.header("Content-Type", "application/json");
    }
    return client.send(
        request.timeout(answerWait).build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  /**
   * Sends a GET and parses its response.
   *
   * @throws IOException when the status is not 200
   */
  public JsonNode json(String path) throws IOException, InterruptedException {
    return good(path, get(path)).json();
  }

  /**
   * Checks that a response is 2xx.
   *
   * @param what describes the request, for the message
   */
  public static Reply good(String what, Reply reply) throws IOException {
    if (!reply.isGood()) {
      throw new IOException(what + ": " + reply);
    }
    return reply;
  }

  /** Closes the client at once; unfinished requests fail. */
  @Override
  public void close() {
    client.shutdownNow();
    threads.shutdownNow();
  }
}
