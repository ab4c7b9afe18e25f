package gilmok.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Phones of a node whose answers wait for a sink: they send one position after the other, each with
 * an id of its own, until they are told to end or the node is gone. Thread-safe.
 */
public final class AckPhones implements AutoCloseable {
  /** The node's admin key. */
  public static final String KEY = "an-admin-key-of-this-test";

  private static final int RIDERS = 6;

  /** The ids of positions that were answered 202. */
  public final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

  /** The ids of positions without an answer. */
  public final Set<String> unknown = ConcurrentHashMap.newKeySet();

  /** What was answered 202 and names another than the sink. */
  public final Queue<String> otherwise = new ConcurrentLinkedQueue<>();

  private final String sink;
  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonMapper mapper = new JsonMapper();
  private int lives;

  /** Phones whose answers must name that sink. */
  public AckPhones(String sink) {
    this.sink = sink;
  }

  /** Phones that ride now, on threads of their own. */
  public static final class Riding {
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    /** Has them end, and waits until they have. */
    public void end() throws InterruptedException {
      isOver.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** Begins to send to a node, as riders who have not sent before. */
  public Riding ride(Program node) throws IOException {
    URI uri = node.uri("/v1/traces");
    Riding riding = new Riding();
    int life = lives++;
    for (int rider = 0; rider < RIDERS; rider++) {
      int own = life * RIDERS + rider;
      riding.threads.add(Thread.ofVirtual().start(() -> ride(uri, own, riding.isOver)));
    }
    return riding;
  }

  private void ride(URI uri, int rider, AtomicBoolean isOver) {
    for (int i = 0; !isOver.get(); i++) {
      String id = rider + "-" + i;
      try {
        send(uri, id);
      } catch (IOException gone) {
        unknown.add(id);
        return;
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }
  }

  /** Sends one position; what is acknowledged is noted. */
  public HttpResponse<String> send(URI uri, String id) throws IOException, InterruptedException {
    String body = "{\"riderId\":\"r\",\"id\":\"%s\",\"at\":1,\"lat\":1,\"lon\":1}".formatted(id);
    return send(uri, KEY, id, body);
  }

  /** The same for a position with that id, as the owner of a key. */
  HttpResponse<String> send(URI uri, String key, String id, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(uri)
                .header("X-Api-Key", key)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    if (response.statusCode() == 202) {
      acknowledged.add(id);
      boolean isRepeat = response.body().contains("\"receipt\":null");
      if (!isRepeat && !response.body().contains("\"durable\":\"" + sink + "\"")) {
        otherwise.add(response.body());
      }
    }
    return response;
  }

  /** Waits until so many more were acknowledged. */
  public void awaitMore(int acknowledgements) throws Exception {
    int from = acknowledged.size();
    Program.await(() -> acknowledged.size() > from + acknowledgements);
  }

  /** The residue of the node's ledger. Reports give way to phones: a 503 is asked again. */
  public long residue(Program node) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(node.uri("/v1/ledger")).header("X-Api-Key", KEY).build();
    AtomicReference<String> ledger = new AtomicReference<>("");
    Program.await(
        () -> {
          HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
          ledger.set(answer.body());
          return answer.statusCode() == 200;
        });
    return mapper.readTree(ledger.get()).path("residue").asLong(-1);
  }

  /** The volume is lost. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
