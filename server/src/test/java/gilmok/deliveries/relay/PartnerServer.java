package gilmok.deliveries.relay;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Partners over real HTTP on loopback, one for each path. They check signatures with code of their
 * own, keep what arrived, and answer as the test sets.
 */
final class PartnerServer implements AutoCloseable {
  /** Answers a call with a status; it may block as long as it likes. */
  interface Manner {
    int answer(HttpExchange exchange, String webhookId) throws Exception;
  }

  final List<String> unsigned = new CopyOnWriteArrayList<>();
  final List<String> bodies = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Notebook> books = new ConcurrentHashMap<>();
  private final Map<String, Manner> manners = new ConcurrentHashMap<>();
  private final Map<String, String> secrets = new ConcurrentHashMap<>();

  PartnerServer() throws IOException {
    this(null);
  }

  PartnerServer(@Nullable SSLContext tls) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    if (tls == null) {
      server = HttpServer.create(address, 100);
    } else {
      HttpsServer secure = HttpsServer.create(address, 100);
      secure.setHttpsConfigurator(new HttpsConfigurator(tls));
      server = secure;
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  void behave(String path, Manner manner) {
    manners.put(path, manner);
  }

  /** Sets the secret with which calls to that path must be signed. */
  void secret(String path, String secret) {
    secrets.put(path, secret);
  }

  Notebook book(String path) {
    return books.computeIfAbsent(path, _ -> new Notebook(false));
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    String id = header(exchange, "webhook-id");
    int status;
    try {
      if (!isSigned(exchange, path, id, body)) {
        unsigned.add(id);
        status = 401;
      } else {
        status = manners.getOrDefault(path, (_, _) -> 204).answer(exchange, id);
      }
    } catch (Exception failed) {
      exchange.close();
      return;
    }
    if (status == 0) {
      return;
    }
    if (status < 300) {
      bodies.add(new String(body, StandardCharsets.UTF_8));
      book(path).take(id);
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private boolean isSigned(HttpExchange exchange, String path, String id, byte[] body)
      throws Exception {
    String secret = secrets.getOrDefault(path, Orders.SECRET);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256"));
    mac.update(
        (id + "." + header(exchange, "webhook-timestamp") + ".").getBytes(StandardCharsets.UTF_8));
    byte[] wanted =
        ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)))
            .getBytes(StandardCharsets.UTF_8);
    for (String one : header(exchange, "webhook-signature").split(" ")) {
      if (MessageDigest.isEqual(wanted, one.getBytes(StandardCharsets.UTF_8))) {
        return true;
      }
    }
    return false;
  }

  static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
