package gilmok.app;

import gilmok.config.Settings;
import gilmok.config.SettingsSources;
import gilmok.http.ReasonCheck;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A whole server in this process, on a free port of loopback, and a client for it. By default it
 * does not warm up, and plans run sheets in this process.
 */
public final class RunningServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Server server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final String adminKey;

  private RunningServer(@Nullable String knownKey, Path data, Stores stores, String... settings)
      throws Exception {
    SettingsSources sources = new SettingsSources();
    sources.option("data", data.toString());
    sources.option("http.host", "127.0.0.1");
    sources.option("http.port", "0");
    sources.option("log.segment-bytes", "9MiB");
    sources.option("log.bytes-max", "64MiB");
    // A process for each of these many servers takes long. A test that needs one says so.
    sources.option("run-sheets.process", "inside");
    sources.option("warm-up.on", "false");
    sources.option("operate.flight-recorder", "false"); // one for all servers of this process
    for (String setting : settings) {
      sources.option(setting);
    }
    server = Server.start(ServerConfig.from(new Settings(sources)), stores, failures::add);
    adminKey = knownKey == null ? Files.readString(data.resolve("admin.key")).strip() : knownKey;
  }

  public static RunningServer start(Path data, String... settings) throws Exception {
    return new RunningServer(null, data, Stores.REAL, settings);
  }

  /** Starts a server whose stores are wrapped by {@code stores}. */
  public static RunningServer start(Path data, Stores stores, String... settings) throws Exception {
    return new RunningServer(null, data, stores, settings);
  }

  /** Starts a server with a known admin key: the folder's {@code admin.key} is not read. */
  static RunningServer startKnowing(String adminKey, Path data, String... settings)
      throws Exception {
    return new RunningServer(adminKey, data, Stores.REAL, settings);
  }

  public Server server() {
    return server;
  }

  public String adminKey() {
    return adminKey;
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  /** An answer: its status and its body. */
  public record Reply(int status, String body) {
    public JsonNode json() {
      return JSON.readTree(body);
    }
  }

  public Reply get(String path) throws IOException, InterruptedException {
    return send(adminKey, "GET", path, "", "");
  }

  public Reply post(String path, String body) throws IOException, InterruptedException {
    return send(adminKey, "POST", path, "application/json", body);
  }

  public Reply send(String key, String method, String path, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.ofString(body));
    if (!key.isEmpty()) {
      request.header("X-Api-Key", key);
    }
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    ReasonCheck.answer(response.body());
    return new Reply(response.statusCode(), response.body());
  }

  /** Sends a request; returns the answer's status. */
  int status(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  /** Creates the key that {@code json} describes; returns its text. */
  String key(String json) throws IOException, InterruptedException {
    Reply reply = post("/v1/keys", json);
    if (reply.status() != 201) {
      throw new AssertionError(reply);
    }
    return reply.json().get("key").asString();
  }

  /** Waits until the server is ready, for at most 20 seconds. */
  void awaitReady() throws IOException, InterruptedException {
    long end = System.nanoTime() + 20_000_000_000L;
    while (get("/health/ready").status() != 200) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(get("/health/ready"));
      }
      LockSupport.parkNanos(5_000_000L);
    }
  }

  /**
   * Waits until every acknowledged record has reached the latest positions, for at most 20 seconds.
   *
   * @throws AssertionError if one has not by then
   */
  public void awaitSeen() throws IOException, InterruptedException {
    long end = System.nanoTime() + 20_000_000_000L;
    while (metric("gilmok_positions_lag_records") > 0) {
      if (System.nanoTime() > end) {
        throw new AssertionError("live does not follow");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /**
   * The value of a metric, or 0 if there is none.
   *
   * @param name the metric's name with its labels, as Prometheus reads it
   */
  public double metric(String name) throws IOException, InterruptedException {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (InterruptedException hurried) {
      throw new AssertionError(hurried);
    }
    client.close();
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.peek());
    }
  }
}
