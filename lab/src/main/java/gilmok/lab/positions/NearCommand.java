package gilmok.lab.positions;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadExchange;
import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.RunResult;
import gilmok.lab.load.Workload;
import gilmok.lab.options.ServerOptions;
import gilmok.lab.options.Timing;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab near}: measures the search for nearby riders in this server and in Redis, over the
 * same points in the same run, while updates arrive. Exits with 0 when all goals were reached, 1
 * when one was missed.
 */
@Command(
    name = "near",
    description = {"Measure nearby queries (2 km, 10 nearest) while riders move, beside Redis."},
    footer = {
      "",
      "Examples:",
      "  gilmok lab near --riders 1000 --seconds 3 --warmup 2          # a minute",
      "  gilmok lab near                                               # 2 minutes"
    })
public final class NearCommand implements Callable<Integer> {
  private static final int LOADED_AT_ONCE = 500;
  private static final int UPDATE_CONNECTIONS = 256;
  private static final double RATIO_TO_REACH = 8;
  private static final double SECONDS_TO_REACH = 0.001;
  private static final long SEED = 7;

  @Option(
      names = "--riders",
      defaultValue = "100000",
      description = "Riders who move (default: ${DEFAULT-VALUE}).")
  private int riders;

  @Option(
      names = "--updates",
      defaultValue = "20000",
      description = "Updates a second (default: ${DEFAULT-VALUE}).")
  private double updates;

  @Option(
      names = "--batch",
      defaultValue = "1",
      description = "Positions of a request (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--connections",
      defaultValue = "64",
      description = "Connections to the server (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Mixin private Timing timing = new Timing(20, 15);

  @Mixin private ServerOptions options = new ServerOptions();

  @Option(
      names = "--redis",
      defaultValue = "redis-server",
      paramLabel = "PATH",
      description = "The program redis-server (default: ${DEFAULT-VALUE}).")
  private String redis = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.run("near", (servers, _) -> compare(servers));
  }

  /** Searches in a closed loop, with updates at their rate beside them. */
  private record Measured(RunResult questions, RunResult updates) {}

  private int compare(Servers servers) throws IOException, InterruptedException {
    Measured own;
    RouteTimes times;
    try (Subject gilmok = servers.gilmok(options.heap(), List.of())) {
      fill(gilmok, Workload.of(trace(0, LOADED_AT_ONCE)));
      RouteTimes before = RouteTimes.of(Servers.metrics(gilmok), "/v1/riders");
      Crowd asking = crowd(1);
      own =
          measure(
              gilmok, Workload.of(() -> NearRequests.near(asking)), Workload.of(trace(2, batch)));
      times = RouteTimes.of(Servers.metrics(gilmok), "/v1/riders").since(before);
    }
    Measured theirs;
    try (Subject subject = servers.redis(redis)) {
      fill(subject, Workload.ofRedis(add(0, LOADED_AT_ONCE)));
      Crowd asking = crowd(1);
      theirs =
          measure(
              subject,
              Workload.ofRedis(() -> NearRequests.search(asking)),
              Workload.ofRedis(add(2, batch)));
    }
    return report(own, times, theirs);
  }

  private Crowd crowd(int number) {
    return new Crowd(riders, SEED + number);
  }

  private LoadExchange trace(int number, int positions) {
    Crowd crowd = crowd(number);
    return () -> NearRequests.trace(crowd, positions);
  }

  private LoadExchange add(int number, int positions) {
    Crowd crowd = crowd(number);
    return () -> NearRequests.add(crowd, positions);
  }

  private void fill(Subject subject, Workload update) throws IOException, InterruptedException {
    long count = (riders + LOADED_AT_ONCE - 1L) / LOADED_AT_ONCE;
    LoadPlan plan = LoadPlan.closed(List.of(subject.port()), UPDATE_CONNECTIONS).times(count);
    new LoadRun(plan, update).run().orThrow();
  }

  private Measured measure(Subject subject, Workload question, Workload update)
      throws IOException, InterruptedException {
    List<Integer> ports = List.of(subject.port());
    LoadPlan questions = LoadPlan.closed(ports, connections);
    LoadPlan beside = LoadPlan.closed(ports, UPDATE_CONNECTIONS);
    List<RunResult> results =
        new LoadRun(questions.at(0, timing.warmup(), timing.seconds()), question)
            .beside(beside.at(updates / batch, timing.warmup(), timing.seconds()), update)
            .runAll();
    return new Measured(results.getFirst().orThrow(), results.getLast().orThrow());
  }

  private int report(Measured own, RouteTimes times, Measured theirs) {
    print("gilmok", own);
    System.out.printf(
        Locale.ROOT,
        "         in the server, with the warm-up: p99 in the bucket to %.2f ms, %.3f %% within"
            + " 1 ms%n",
        times.quantileMillis(0.99),
        100 * times.shareWithin(SECONDS_TO_REACH));
    print("redis", theirs);
    double ratio = own.questions.perSecond() / theirs.questions.perSecond();
    System.out.printf(Locale.ROOT, "ratio    %.1f (to reach: %.0f)%n", ratio, RATIO_TO_REACH);
    boolean reached = ratio >= RATIO_TO_REACH && times.shareWithin(SECONDS_TO_REACH) >= 0.99;
    return reached ? 0 : 1;
  }

  private void print(String name, Measured measured) {
    System.out.printf(
        Locale.ROOT,
        "%-8s %,.0f questions/s with %,.0f updates/s; at the client p50 %,.2f ms, p99 %,.2f ms,"
            + " max %,.1f ms; the load generator took %.2f cores%n",
        name,
        measured.questions.perSecond(),
        measured.updates.perSecond() * batch,
        measured.questions.p50(),
        measured.questions.p99(),
        measured.questions.max(),
        measured.questions.cores());
  }
}
