package gilmok.lab.day;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The clerk, against a server that refuses only to accept the order named "bad". */
@Tag("server")
class ClerkTest {
  private static final List<Act.Kind> WAY =
      List.of(
          Act.Kind.CREATE, Act.Kind.ACCEPT, Act.Kind.ASSIGN, Act.Kind.PICK_UP, Act.Kind.COMPLETE);

  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private final Queue<Act> done = new ConcurrentLinkedQueue<>();
  private final Queue<String> created = new ConcurrentLinkedQueue<>();
  private HttpServer server;

  @BeforeEach
  void listen() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String path = exchange.getRequestURI().getPath();
    asked.add(path);
    if (path.equals("/v1/deliveries")) {
      created.add(body);
    }
    boolean isBad = path.equals("/v1/deliveries/run-bad/accept");
    // This server uses the order's id as the delivery's.
    String order = body.contains("\"orderId\":\"run-bad\"") ? "run-bad" : "run-good";
    byte[] answer = ("{\"id\":\"" + order + "\"}").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(isBad ? 409 : 200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private static Act act(Act.Kind kind, String order) {
    Spot spot = new Spot(1, 1);
    Day.Restaurant shop = new Day.Restaurant("r", spot);
    return new Act(0, kind, new Day.Order(order, spot, shop, 0, 10, 40.0), "rider");
  }

  @Test
  void anOrderThatFails_isGivenUp_andTheOthersGoOn() throws Exception {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    try (OrderDesk desk = new OrderDesk(url, "key", "run");
        Clerk clerk = new Clerk(desk, false, minute -> (long) minute, done::add)) {
      for (Act.Kind kind : WAY) {
        assertThat(clerk.start(act(kind, "good"))).isTrue();
        clerk.start(act(kind, "bad"));
      }
      assertThatThrownBy(clerk::await).isInstanceOf(IOException.class).hasMessageContaining("409");
      assertThat(clerk.trouble()).contains("/v1/deliveries/run-bad/accept: 409");
      assertThat(clerk.start(act(Act.Kind.COMPLETE, "bad"))).as("its order was given up").isFalse();
    }
    assertThat(created)
        .hasSize(2)
        .allMatch(body -> body.contains("\"readyAt\":10,\"dueBy\":40"), "the promise is told");
    assertThat(done)
        .filteredOn(act -> act.order().name().equals("good"))
        .extracting(Act::kind)
        .containsExactlyElementsOf(WAY);
    assertThat(asked)
        .filteredOn(path -> path.contains("run-good"))
        .containsExactly(
            "/v1/deliveries/run-good/accept",
            "/v1/deliveries/run-good/assign",
            "/v1/deliveries/run-good/pickup",
            "/v1/deliveries/run-good/complete");
    assertThat(asked)
        .filteredOn(path -> path.contains("run-bad"))
        .containsExactly("/v1/deliveries/run-bad/accept");
  }
}
