package gilmok.lab.partner;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import tools.jackson.databind.json.JsonMapper;

/**
 * A partner on 127.0.0.1. It accepts webhooks at any path; {@code GET /stats} returns the counters,
 * {@code GET /delays} how long after their events webhooks have come since it was last asked. One
 * event loop serves all calls; methods may be called from any other thread.
 */
public final class PartnerStand implements AutoCloseable {
  private static final int IDLE_SECONDS_MAX = 120;

  private final Vertx vertx;
  private final Signed signed;
  private final SplittableRandom random;
  private final WebhookBook book = new WebhookBook();
  private final int port;
  private volatile Conduct conduct;

  private PartnerStand(int wanted, String secret, Conduct conduct, long seed) {
    this.conduct = conduct;
    signed = new Signed(secret);
    random = new SplittableRandom(seed);
    vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost("127.0.0.1")
            .setPort(wanted)
            .setTcpNoDelay(true)
            .setIdleTimeout(IDLE_SECONDS_MAX);
    HttpServer server =
        vertx.createHttpServer(options).requestHandler(this::handle).listen().await();
    port = server.actualPort();
  }

  /**
   * Starts a partner; blocks until it listens.
   *
   * @param port 0 for a free one
   * @param secret {@code whsec_…}
   * @param seed the seed of all random choices
   */
  public static PartnerStand start(int port, String secret, Conduct conduct, long seed) {
    return new PartnerStand(port, secret, conduct, seed);
  }

  /** Its URL. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** The accepted events, and the errors found. */
  public WebhookBook book() {
    return book;
  }

  /** Changes its behaviour. */
  public void behave(Conduct other) {
    conduct = other;
  }

  private void handle(HttpServerRequest request) {
    if (request.method().equals(HttpMethod.GET)) {
      Map<String, Long> asked =
          switch (request.path()) {
            case "/stats" -> book.counts();
            case "/delays" -> book.takeDelays();
            default -> Map.of();
          };
      request.response().putHeader("content-type", "application/json");
      answer(request, asked.isEmpty() ? 404 : 200, JsonMapper.shared().writeValueAsString(asked));
      return;
    }
    request.body().onSuccess(body -> take(request, body.getBytes()));
  }

  private void take(HttpServerRequest request, byte[] body) {
    Conduct now = conduct;
    book.add(PartnerCount.CALLS);
    double dice = random.nextDouble();
    if (dice < now.refuse()) {
      book.add(PartnerCount.REFUSED);
      var _ = request.connection().close();
      return;
    }
    boolean hangs = dice < now.refuse() + now.hang();
    if (hangs) {
      book.add(PartnerCount.HUNG);
    }
    boolean fails = !hangs && dice < now.refuse() + now.hang() + now.fail();
    later(hangs ? now.hangTime() : now.delay(), () -> end(request, body, fails));
  }

  private void later(Duration delay, Runnable task) {
    if (delay.toMillis() > 0) {
      vertx.setTimer(delay.toMillis(), _ -> task.run());
    } else {
      task.run();
    }
  }

  private void end(HttpServerRequest request, byte[] body, boolean fails) {
    String id = request.getHeader("webhook-id");
    boolean isSigned =
        signed.verifies(
            id,
            request.getHeader("webhook-timestamp"),
            request.getHeader("webhook-signature"),
            body,
            System.currentTimeMillis());
    if (!isSigned) {
      book.add(PartnerCount.UNSIGNED);
      answer(request, 401, "");
      return;
    }
    Told told = Told.read(id, body);
    if (told == null) {
      book.add(PartnerCount.UNREADABLE);
      answer(request, 400, "");
    } else if (fails) {
      book.add(PartnerCount.FAILED);
      answer(request, 500, "");
    } else if (!request.response().closed()) {
      book.take(told, System.currentTimeMillis());
      answer(request, 204, "");
    }
  }

  private static void answer(HttpServerRequest request, int status, String text) {
    // The caller of a delayed response may have disconnected.
    if (!request.response().closed()) {
      var _ = request.response().setStatusCode(status).end(Buffer.buffer(text));
    }
  }

  /** Stops; blocks. */
  @Override
  public void close() {
    vertx.close().await();
  }
}
