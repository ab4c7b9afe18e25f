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
 * Asks one server for what is not measured, or is so slow that a connection for each caller's
 * thread does; what makes load is in {@code gilmok.lab.load}. Thread-safe; blocks.
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
   * @param key the API key; empty for none
   * @param answerWait how long an answer may take
   */
  public LabClient(String url, String key, Duration answerWait) {
    this.url = url;
    this.key = key;
    this.answerWait = answerWait;
  }

  /** Asks a server that was started here. */
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

  /** With the key and these headers: names and values in turn. */
  public Reply send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    return Reply.of(exchange(method, path, body, headers));
  }

  /** The same, with the answer's own bytes and headers. */
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
   * What a GET answers.
   *
   * @throws IOException when that is not 200
   */
  public JsonNode json(String path) throws IOException, InterruptedException {
    return good(path, get(path)).json();
  }

  /**
   * A reply that has to be 2xx.
   *
   * @param what was asked, in words
   */
  public static Reply good(String what, Reply reply) throws IOException {
    if (!reply.isGood()) {
      throw new IOException(what + ": " + reply);
    }
    return reply;
  }

  /** Ends at once; what is under way is broken off. */
  @Override
  public void close() {
    client.shutdownNow();
    threads.shutdownNow();
  }
}
