package gilmok.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The server that a fleet has had so far: it keeps what it gets, and answers. {@code /hang} is not
 * answered before {@link #answer()}, nor is the rest of {@code /large} (700 KiB, all but 100 at
 * once); {@code /slow} is in half a second, and {@code /drip} in a minute, byte by byte.
 */
final class OldServer implements AutoCloseable {
  /** A request as it came. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Got(
      String method,
      String target,
      String key,
      String cookies,
      String type,
      String coding,
      byte[] body) {}

  final List<Got> got = new CopyOnWriteArrayList<>();
  volatile int status = 200;
  volatile boolean hangs;
  volatile List<String> setCookies = List.of();
  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private final HttpServer server;

  OldServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Answers what hangs. */
  void answer() {
    hangs = false;
    mayAnswer.countDown();
  }

  List<String> targets() {
    return got.stream().map(Got::target).toList();
  }

  /** Waits until it has got so many requests. */
  void awaitGot(int count) {
    long until = System.nanoTime() + 20_000_000_000L;
    while (got.size() < count && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    if (got.size() != count) {
      throw new AssertionError(targets());
    }
  }

  private static String header(HttpExchange exchange, String name) {
    return String.valueOf(exchange.getRequestHeaders().getFirst(name));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      got.add(
          new Got(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              header(exchange, "X-Api-Key"),
              header(exchange, "Cookie"),
              header(exchange, "Content-Type"),
              header(exchange, "Content-Encoding"),
              exchange.getRequestBody().readAllBytes()));
      String path = exchange.getRequestURI().getPath();
      if (hangs || path.equals("/hang")) {
        boolean _ = mayAnswer.await(60, TimeUnit.SECONDS);
      } else if (path.equals("/slow")) {
        boolean _ = mayAnswer.await(500, TimeUnit.MILLISECONDS);
      } else if (path.equals("/drip")) {
        drip(exchange);
        return;
      } else if (path.equals("/large")) {
        exchange.sendResponseHeaders(200, 700 << 10);
        exchange.getResponseBody().write(new byte[600 << 10]);
        exchange.getResponseBody().flush();
        boolean _ = mayAnswer.await(60, TimeUnit.SECONDS);
        exchange.getResponseBody().write(new byte[100 << 10]);
        return;
      }
      byte[] body = "{\"by\":\"old\"}".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.getResponseHeaders().add("X-Old", "yes");
      for (String cookie : setCookies) {
        exchange.getResponseHeaders().add("Set-Cookie", cookie);
      }
      exchange.sendResponseHeaders(status, status < 200 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  private void drip(HttpExchange exchange) throws IOException, InterruptedException {
    exchange.sendResponseHeaders(200, 600);
    for (int i = 0; i < 600; i++) {
      exchange.getResponseBody().write('x');
      exchange.getResponseBody().flush();
      boolean _ = mayAnswer.await(100, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void close() {
    mayAnswer.countDown();
    server.stop(0);
  }
}
