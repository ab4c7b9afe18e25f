package gilmok.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadRunTest {
  private static final Duration MEASURED = Duration.ofMillis(600);

  private final AtomicLong requests = new AtomicLong();
  private Vertx vertx;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  @Test
  void run_closedLoop_countsEveryAnswer() throws Exception {
    LoadReport report = run(0, 1, request -> reply(request, 202, accepted(2, 0)));
    assertThat(report.valid()).as("%s", report.errorKinds()).isTrue();
    assertThat(report.requestsAnswered()).isEqualTo(requests.get()).isPositive();
    assertThat(report.positionsAccepted()).isEqualTo(2 * requests.get());
    assertThat(report.mode()).isEqualTo("closed");
  }

  @Test
  void run_pipelined_countsEveryAnswer() throws Exception {
    LoadReport report = run(0, 4, request -> reply(request, 202, accepted(2, 0)));
    assertThat(report.valid()).as("%s", report.errorKinds()).isTrue();
    assertThat(report.requestsAnswered()).isEqualTo(requests.get()).isPositive();
  }

  @Test
  void run_openLoop_sendsWhatIsDue() throws Exception {
    LoadReport report = run(1_000, 1, request -> reply(request, 202, accepted(2, 0)));
    assertThat(report.valid()).as("%s", report.errorKinds()).isTrue();
    assertThat(requests.get()).isEqualTo(600);
    assertThat(report.histogram().getTotalCount()).isEqualTo(600);
  }

  @Test
  void run_openLoopServerStalls_latencyCountsFromWhenDue() throws Exception {
    Duration stall = Duration.ofMillis(300);
    LoadReport report =
        run(
            100,
            1,
            request -> {
              if (requests.get() == 1) {
                vertx.setTimer(stall.toMillis(), t -> reply(request, 202, accepted(2, 0)));
              } else {
                reply(request, 202, accepted(2, 0));
              }
            },
            1);
    assertThat(report.valid()).as("%s", report.errorKinds()).isTrue();
    // All that was due during the stall waited for the one connection: not one slow answer, but 30.
    long late =
        report.histogram().getTotalCount()
            - report.histogram().getCountBetweenValues(0, stall.toNanos() / 3);
    assertThat(late).isGreaterThanOrEqualTo(15);
  }

  @Test
  void run_duplicates_voidTheRun() throws Exception {
    LoadReport report = run(500, 1, request -> reply(request, 202, accepted(1, 1)));
    assertThat(report.valid()).isFalse();
    assertThat(report.duplicates()).isEqualTo(requests.get());
  }

  @Test
  void run_refusals_voidTheRun() throws Exception {
    LoadReport report = run(500, 1, request -> reply(request, 503, "{}"));
    assertThat(report.valid()).isFalse();
    assertThat(report.errorKinds()).containsEntry("status 503", requests.get());
  }

  @Test
  void run_connectionsClosed_voidTheRun() throws Exception {
    LoadReport report = run(500, 1, request -> request.connection().close());
    assertThat(report.valid()).isFalse();
    assertThat(report.errors()).isPositive();
  }

  @Test
  void run_noAnswers_voidTheRun() throws Exception {
    LoadReport report = run(500, 1, request -> {});
    assertThat(report.valid()).isFalse();
    assertThat(report.errorKinds()).containsEntry("unanswered", 300L);
  }

  private LoadReport run(double rate, int pipeline, Consumer<HttpServerRequest> handler)
      throws Exception {
    return run(rate, pipeline, handler, 4);
  }

  private LoadReport run(
      double rate, int pipeline, Consumer<HttpServerRequest> handler, int connections)
      throws Exception {
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(
                request ->
                    request
                        .body()
                        .onSuccess(
                            body -> {
                              requests.incrementAndGet();
                              handler.accept(request);
                            }))
            .listen(0, "127.0.0.1")
            .await();
    LoadPlan plan =
        new LoadPlan(
            "127.0.0.1",
            server.actualPort(),
            "/v1/traces",
            "",
            connections,
            rate,
            Duration.ZERO,
            MEASURED,
            2,
            100,
            1,
            pipeline,
            false,
            Duration.ofSeconds(1));
    return new LoadRun(plan, null, line -> {}).run();
  }

  private static void reply(HttpServerRequest request, int status, String body) {
    var _ = request.response().setStatusCode(status).end(body);
  }

  private static String accepted(int accepted, int duplicates) {
    return "{\"accepted\":" + accepted + ",\"duplicates\":" + duplicates + "}";
  }
}
