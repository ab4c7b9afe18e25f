package gilmok.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run of the fleet, against a server that answers as the test wants. */
@Tag("server")
class FleetRunTest {
  private final Map<String, Long> newest = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /** How many requests are still to be refused as busy; below zero, the key is refused. */
  private final AtomicInteger busy = new AtomicInteger();

  private volatile boolean backwards;
  private final HttpServer server = listen();

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void busyServer_phonesKeepTheirFixesAndSendThemInOrder() throws Exception {
    busy.set(40);
    Fleet.Plan plan = new Fleet.Plan(60, 1, System.currentTimeMillis(), 20);
    FleetTarget target = FleetTarget.of("http://127.0.0.1:" + server.getAddress().getPort(), "key");
    try (FleetRun run = FleetRun.start(plan, target, List.of(AppDialect.TRACES), 4)) {
      await(
          () ->
              run.account().accepted.sum() > 2_000
                  && run.account().late.sum() > 20
                  && newest.size() == 60);
      assertThat(run.account().retries.sum()).isGreaterThanOrEqualTo(40);
      assertThat(run.account().refused.sum()).isZero();
      assertThat(run.trouble()).isNull();
    }
    assertThat(backwards).as("a phone's fixes came out of order").isFalse();
  }

  @Test
  void keyNotTaken_isSaid() throws Exception {
    busy.set(-1);
    Fleet.Plan plan = new Fleet.Plan(5, 1, System.currentTimeMillis(), 20);
    FleetTarget target = FleetTarget.of("http://127.0.0.1:" + server.getAddress().getPort(), "key");
    try (FleetRun run = FleetRun.start(plan, target, List.of(AppDialect.TRACES), 2)) {
      await(() -> run.trouble() != null);
      assertThat(run.trouble()).contains("does not take the key (401)");
    }
  }

  private HttpServer listen() {
    try {
      HttpServer made =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
      made.createContext(
          "/v1/traces",
          exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            byte[] answer = "{}".getBytes(StandardCharsets.UTF_8);
            int status = 202;
            int left = busy.getAndUpdate(count -> count > 0 ? count - 1 : count);
            if (left < 0) {
              status = 401;
            } else if (left > 0) {
              exchange.getResponseHeaders().set("Retry-After", "1");
              status = left % 2 == 0 ? 503 : 429;
            } else {
              answer = take(body).getBytes(StandardCharsets.UTF_8);
            }
            exchange.sendResponseHeaders(status, answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
              out.write(answer);
            }
          });
      made.start();
      return made;
    } catch (IOException unable) {
      throw new IllegalStateException(unable);
    }
  }

  /** Called by the server's only thread. */
  private String take(byte[] body) {
    int accepted = 0;
    int duplicates = 0;
    for (JsonNode record : JsonMapper.shared().readTree(body)) {
      String rider = record.get("riderId").asString();
      long at = record.get("at").asLong();
      if (!taken.add(rider + at)) {
        duplicates++;
        continue;
      }
      accepted++;
      Long before = newest.put(rider, at);
      backwards |= before != null && before > at;
    }
    return "{\"accepted\":" + accepted + ",\"duplicates\":" + duplicates + "}";
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
