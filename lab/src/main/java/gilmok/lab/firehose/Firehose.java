package gilmok.lab.firehose;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A stand-in for Amazon Data Firehose on 127.0.0.1: PutRecordBatch, PutRecord and
 * DescribeDeliveryStream over AWS JSON 1.1, for a delivery stream of any name. Calls must be
 * signed, but the signature is not verified. {@code GET /stats} returns the counters.
 *
 * <p>One event loop serves all calls. Methods may be called from any other thread; those that say
 * so block.
 */
public final class Firehose implements AutoCloseable {
  private static final int IDLE_SECONDS_MAX = 120;

  private final Vertx vertx;
  private final Desk desk;
  private final Kept kept;
  private final Map<Long, Runnable> late = new ConcurrentHashMap<>();
  private final @Nullable Handover handover;
  private final int port;
  private @Nullable HttpServer server;

  /**
   * The setup of a stand-in.
   *
   * @param port the port to listen on; 0 for a free one
   * @param seed the seed of all random choices
   * @param keepsLines false to count only, for long runs
   * @param forward where accepted records are forwarded, as {@code http://127.0.0.1:5000}; null for
   *     nowhere
   */
  public record Setup(
      int port, Quotas quotas, long seed, boolean keepsLines, @Nullable URI forward) {
    /** A setup without quotas that keeps its records. */
    public static Setup of(long seed) {
      return new Setup(0, Quotas.NONE, seed, true, null);
    }

    /** The same setup with quotas. */
    public Setup with(Quotas other) {
      return new Setup(port, other, seed, keepsLines, forward);
    }
  }

  private Firehose(Setup setup, Faults faults) {
    vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    kept = new Kept(setup.keepsLines);
    desk = new Desk(faults, setup.quotas, kept, setup.seed, System.nanoTime());
    handover = setup.forward == null ? null : new Handover(vertx, setup.forward);
    HttpServer first = listen(setup.port);
    server = first;
    port = first.actualPort();
  }

  /** Starts a stand-in; blocks until it listens. */
  public static Firehose start(Setup setup, Faults faults) {
    return new Firehose(setup, faults);
  }

  private HttpServer listen(int wanted) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost("127.0.0.1")
            .setPort(wanted)
            .setTcpNoDelay(true)
            .setIdleTimeout(IDLE_SECONDS_MAX)
            .setHandle100ContinueAutomatically(true);
    return vertx.createHttpServer(options).requestHandler(this::handle).listen().await();
  }

  /** Its URL. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Stops listening, so that connections are refused; blocks until that is done. */
  public synchronized void down() {
    if (server != null) {
      server.close().await();
      server = null;
    }
  }

  /** Listens again on the same port; blocks until it does. */
  public synchronized void up() {
    if (server == null) {
      server = listen(port);
    }
  }

  /** The lines it has kept. */
  public Kept kept() {
    return kept;
  }

  /** The value of a counter. */
  public long count(Count what) {
    return desk.count(what);
  }

  /** All counters, by name. */
  public Map<String, Long> counts() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (Count what : Count.values()) {
      all.put(camel(what.name()), desk.count(what));
    }
    return all;
  }

  private void handle(HttpServerRequest request) {
    if (request.method().equals(HttpMethod.GET)) {
      String json = JsonMapper.shared().writeValueAsString(counts());
      answer(request, new AwsAnswer(request.path().equals("/stats") ? 200 : 404, json));
      return;
    }
    request.body().onSuccess(body -> put(request, body));
  }

  private void put(HttpServerRequest request, Buffer body) {
    String authorization = request.getHeader("Authorization");
    Desk.Decision decision =
        desk.decide(
            request.getHeader("X-Amz-Target"),
            authorization != null && !authorization.isEmpty(),
            body.getBytes(),
            System.nanoTime());
    if (handover != null && decision.taken() != null && authorization != null) {
      handover
          .put(decision.taken(), authorization)
          .onSuccess(taken -> finish(request, decision))
          .onFailure(failed -> answer(request, AwsAnswer.broken()));
    } else {
      finish(request, decision);
    }
  }

  private void finish(HttpServerRequest request, Desk.Decision decision) {
    if (decision.delayMillis() > 0) {
      Runnable end = () -> end(request, decision);
      late.put(vertx.setTimer(decision.delayMillis(), this::end), end);
    } else {
      end(request, decision);
    }
  }

  /** Sends the delayed responses that are due. */
  public void answerLate() {
    for (long timer : late.keySet()) {
      if (vertx.cancelTimer(timer)) {
        end(timer);
      }
    }
  }

  private void end(long timer) {
    Runnable end = late.remove(timer);
    if (end != null) {
      end.run();
    }
  }

  private static void end(HttpServerRequest request, Desk.Decision decision) {
    if (decision.isLost()) {
      var _ = request.connection().close();
    } else {
      answer(request, decision.answer());
    }
  }

  private static void answer(HttpServerRequest request, AwsAnswer answer) {
    // The caller of a delayed response may have disconnected.
    if (!request.response().closed()) {
      var _ =
          request
              .response()
              .setStatusCode(answer.status())
              .putHeader("content-type", "application/x-amz-json-1.1")
              .putHeader("x-amzn-requestid", "00000000-0000-0000-0000-000000000000")
              .end(Buffer.buffer(answer.body()));
    }
  }

  private static String camel(String name) {
    StringBuilder text = new StringBuilder();
    for (String word : name.split("_")) {
      String small = word.toLowerCase(Locale.ROOT);
      text.append(text.isEmpty() ? small : name(small));
    }
    return text.toString();
  }

  private static String name(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  /** Stops; blocks. */
  @Override
  public void close() {
    vertx.close().await();
  }
}
