package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A partner over HTTP that accepts every webhook and keeps each delivery's events in their order.
 */
final class ToldPartner implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, List<Integer>> told = new ConcurrentHashMap<>();

  /** The header traceparent of the webhooks that had one, by the webhook's id. */
  final Map<String, String> traces = new ConcurrentHashMap<>();

  /**
   * Webhooks that a careful partner could not use: inconsistent, or with an event missing before.
   */
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

  /** How often each webhook came, by its id. */
  final Map<String, Integer> times = new ConcurrentHashMap<>();

  ToldPartner() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  /** The body that registers this partner as a shop. */
  String asJson() {
    return "{\"kind\":\"shop\",\"url\":\"http://127.0.0.1:%d/\",\"secret\":\"%s\",\"events\":[\"*\"]}"
        .formatted(server.getAddress().getPort(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  }

  private void take(HttpExchange exchange) throws IOException {
    String id = String.valueOf(exchange.getRequestHeaders().getFirst("webhook-id"));
    String trace = exchange.getRequestHeaders().getFirst("traceparent");
    if (trace != null) {
      traces.put(id, trace);
    }
    JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
    String delivery = body.at("/data/id").asString("");
    int sequence = body.path("sequence").asInt();
    if (!id.equals(delivery + ":" + sequence) || body.at("/data/version").asInt() != sequence) {
      wrong.add(id + " " + body);
    }
    times.merge(id, 1, Integer::sum);
    List<Integer> before = told.computeIfAbsent(delivery, _ -> new ArrayList<>());
    synchronized (before) {
      int last = before.isEmpty() ? 0 : before.getLast();
      if (sequence == last + 1) {
        before.add(sequence);
      } else if (sequence > last) {
        wrong.add(id + " after " + last);
      }
    }
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  /**
   * Waits until it has got all events of these deliveries up to these versions, in order.
   *
   * @throws AssertionError if one is missing after a minute, or a webhook was wrong
   */
  void await(Map<String, Integer> versions) throws Exception {
    Program.await(
        () ->
            !wrong.isEmpty()
                || versions.entrySet().stream().allMatch(one -> count(one) >= one.getValue()));
    assertThat(wrong).isEmpty();
    versions.forEach(
        (id, version) ->
            assertThat(told.get(id))
                .as(id)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, version).boxed().toList()));
  }

  private int count(Map.Entry<String, Integer> delivery) {
    List<Integer> before = told.get(delivery.getKey());
    if (before == null) {
      return 0;
    }
    synchronized (before) {
      return before.size();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
