package gilmok.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class LoadRunTest {
  private static final Duration MEASURED = Duration.ofMillis(600);

  private final AtomicLong requests = new AtomicLong();
  private Vertx vertx;
  private Histogram latencies = new Histogram(3);

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
    assertThat(latencies.getTotalCount()).isEqualTo(600);
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
    // All requests due during the stall waited for the one connection: some 30 are late, not one.
    long late = latencies.getTotalCount() - latencies.getCountBetweenValues(0, stall.toNanos() / 3);
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
    assertThat(report.errorKinds())
        .containsEntry("unanswered", 4L)
        .containsEntry("never sent", 296L);
  }

  @Test
  void run_theServerIsSlow_isNoLatenessOfTheLoad() throws Exception {
    RunResult result = plain(1, request -> vertx.setTimer(50, _ -> reply(request, 200, "")), 0);
    assertThat(result.p99()).as("many wait for the one connection").isGreaterThan(100);
    assertThat(result.sent().lateShare(20)).isLessThan(0.2);
    assertThat(result.sent().neverSent()).isZero();
  }

  @Test
  void run_theLoadIsSlow_isSaid() throws Exception {
    RunResult result = plain(100, request -> reply(request, 200, ""), 20);
    assertThat(result.sent().lateShare(20)).isGreaterThan(0.5);
  }

  @Test
  void run_refusalsThatAreExpected_areCountedApart() throws Exception {
    LoadRun run =
        new LoadRun(
            LoadPlan.closed(List.of(listen(request -> reply(request, 503, "{}"))), 1)
                .at(100, 0, 0.5),
            Workload.of(
                new LoadExchange() {
                  @Override
                  public byte[] request() {
                    return post("x");
                  }

                  @Override
                  public boolean isRefusal(Response response) {
                    return response.status() == 503;
                  }
                }));
    RunResult result = run.run().orThrow();
    assertThat(result.sent().refused()).isEqualTo(50);
    assertThat(result.answers()).isZero();
  }

  /** A run at 200/s; making each request takes so many milliseconds. */
  private RunResult plain(int connections, Consumer<HttpServerRequest> handler, long slowMillis)
      throws Exception {
    LoadExchange exchange =
        () -> {
          try {
            Thread.sleep(slowMillis);
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
          return post("x");
        };
    return new LoadRun(
            LoadPlan.closed(List.of(listen(handler)), connections).at(200, 0, 0.5),
            Workload.of(exchange))
        .run();
  }

  private int listen(Consumer<HttpServerRequest> handler) {
    return vertx
        .createHttpServer()
        .requestHandler(handler::accept)
        .listen(0, "127.0.0.1")
        .await()
        .actualPort();
  }

  @Test
  void run_severalStepsAndABeside_goOnBeforeOthersBegin() throws Exception {
    List<String> bodies = new CopyOnWriteArrayList<>();
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(
                request ->
                    request
                        .body()
                        .onSuccess(
                            body -> {
                              bodies.add(body.toString());
                              reply(request, 200, "");
                            }))
            .listen(0, "127.0.0.1")
            .await();
    LoadPlan plan = LoadPlan.closed(List.of(server.actualPort()), 1).at(20, 0, 0.5);
    List<RunResult> results =
        new LoadRun(plan, () -> new Steps())
            .beside(plan.at(0, 0, 0.5).times(3), Workload.of(() -> post("beside")))
            .runAll();
    assertThat(results.getFirst().orThrow().answers()).isEqualTo(30);
    assertThat(results.getLast().orThrow().answers()).isEqualTo(3);
    bodies.removeIf(body -> body.equals("beside"));
    assertThat(bodies.subList(0, 6)).containsExactly("0", "1", "2", "0", "1", "2");
  }

  /** An exchange of three requests. */
  private static final class Steps implements LoadExchange {
    private int step;

    @Override
    public byte[] request() {
      return post(Integer.toString(step++));
    }

    @Override
    public boolean hasMore() {
      return step < 3;
    }
  }

  private static byte[] post(String body) {
    return Requests.send("POST", "/", "", body);
  }

  @Test
  void report_writtenAndRead_isTheSame() throws Exception {
    LoadReport report = run(0, 1, request -> reply(request, 202, accepted(2, 0)));
    assertThat(LoadReport.read(report.json())).isEqualTo(report);
    assertThat(report.p99()).isPositive().isLessThanOrEqualTo(report.latency("p99.9"));
  }

  @Test
  void due_ramp_risesToTheRate() {
    LoadPlan flat = LoadPlan.closed(List.of(1), 1).at(100, 1, 1);
    assertThat(flat.dueNanos(100)).isEqualTo(1_000_000_000L);
    LoadPlan plan =
        new LoadPlan(
            flat.servers(),
            1,
            100,
            Duration.ofSeconds(4),
            Duration.ZERO,
            Duration.ofSeconds(1),
            0,
            1,
            1,
            Duration.ZERO);
    // The ramp has half the requests of the full rate, a quarter of those in its first half.
    assertThat(plan.dueNanos(0)).isZero();
    assertThat(plan.dueNanos(50)).isEqualTo(2_000_000_000L);
    assertThat(plan.dueNanos(200)).isEqualTo(4_000_000_000L);
    assertThat(plan.dueNanos(300)).isEqualTo(5_000_000_000L);
    assertThat(plan.dueCount(5_000_000_000L)).isEqualTo(300);
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
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.actualPort());
    LoadPlan plan =
        new LoadPlan(
            List.of(address),
            connections,
            rate,
            Duration.ZERO,
            Duration.ZERO,
            MEASURED,
            0,
            1,
            pipeline,
            Duration.ofSeconds(1));
    PositionsWorkload positions =
        new PositionsWorkload(new PositionsWorkload.Plan("/v1/traces", "", 2, 100, false), 0, 1);
    RunResult result = new LoadRun(plan, positions).run();
    latencies = result.latencies();
    return LoadReport.of(result, 2, List.of(positions));
  }

  private static void reply(HttpServerRequest request, int status, String body) {
    var _ = request.response().setStatusCode(status).end(body);
  }

  private static String accepted(int accepted, int duplicates) {
    return "{\"accepted\":" + accepted + ",\"duplicates\":" + duplicates + "}";
  }
}
