package gilmok.lab.positions;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab near}: who is near, asked of this server and of Redis over the same points in the same
 * run, while updates come in. Exits with 0 when all was reached, 1 when something was missed.
 */
@Command(
    name = "near",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Asks who is near (2 km, 10 nearest) while riders move; beside Redis.")
public final class NearCommand implements Callable<Integer> {
  private static final int LOADED_AT_ONCE = 500;
  private static final double RATIO_TO_REACH = 8;
  private static final double SECONDS_TO_REACH = 0.001;
  private static final long SEED = 7;

  @Option(names = "--riders", defaultValue = "100000", description = "${DEFAULT-VALUE}")
  private int riders;

  @Option(names = "--updates", defaultValue = "20000", description = "a second: ${DEFAULT-VALUE}")
  private double updates;

  @Option(names = "--batch", defaultValue = "1", description = "a request: ${DEFAULT-VALUE}")
  private int batch;

  @Option(names = "--connections", defaultValue = "64", description = "${DEFAULT-VALUE}")
  private int connections;

  @Option(names = "--seconds", defaultValue = "20", description = "measured: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(names = "--warmup", defaultValue = "15", description = "seconds: ${DEFAULT-VALUE}")
  private int warmup;

  @Option(names = "--heap", defaultValue = "512m", description = "${DEFAULT-VALUE}")
  private String heap = "";

  @Option(names = "--redis", defaultValue = "redis-server", description = "${DEFAULT-VALUE}")
  private String redis = "";

  @Option(names = "--work", description = "where data folders go; else a temporary folder")
  private @Nullable Path work;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = ScratchFolder.create(work, "near-");
    try {
      Servers servers = new Servers(Servers.ownJar(), folder);
      Pressure.Result own;
      RouteTimes times;
      try (Subject gilmok = servers.gilmok(heap, List.of())) {
        load(gilmok, new Talk.Trace(new Crowd(riders, SEED), Servers.KEY, LOADED_AT_ONCE));
        try (Pressure pressure =
            new Pressure(
                gilmok.port(),
                connections,
                new Talk.Near(new Crowd(riders, SEED + 1), Servers.KEY),
                new Talk.Trace(new Crowd(riders, SEED + 2), Servers.KEY, batch))) {
          RouteTimes before = RouteTimes.of(Servers.metrics(gilmok), "/v1/riders");
          own = pressure.run(updates / batch, warmup, seconds);
          times = RouteTimes.of(Servers.metrics(gilmok), "/v1/riders").since(before);
        }
      }
      Pressure.Result theirs;
      try (Subject subject = servers.redis(redis)) {
        load(subject, new Talk.Add(new Crowd(riders, SEED), LOADED_AT_ONCE));
        try (Pressure pressure =
            new Pressure(
                subject.port(),
                connections,
                new Talk.Search(new Crowd(riders, SEED + 1)),
                new Talk.Add(new Crowd(riders, SEED + 2), batch))) {
          theirs = pressure.run(updates / batch, warmup, seconds);
        }
      }
      return report(own, times, theirs);
    } finally {
      ScratchFolder.delete(folder);
    }
  }

  private void load(Subject subject, Talk update) throws IOException {
    try (Pressure pressure = new Pressure(subject.port(), 0, update, update)) {
      pressure.load((riders + LOADED_AT_ONCE - 1) / LOADED_AT_ONCE);
    }
  }

  private int report(Pressure.Result own, RouteTimes times, Pressure.Result theirs) {
    print("gilmok", own);
    System.out.printf(
        Locale.ROOT,
        "         in the server, with the warm-up: p99 in the bucket to %.2f ms, %.3f %% within"
            + " 1 ms%n",
        times.quantileMillis(0.99),
        100 * times.shareWithin(SECONDS_TO_REACH));
    print("redis", theirs);
    double ratio = own.questionsPerSecond() / theirs.questionsPerSecond();
    System.out.printf(Locale.ROOT, "ratio    %.1f (to reach: %.0f)%n", ratio, RATIO_TO_REACH);
    boolean reached = ratio >= RATIO_TO_REACH && times.shareWithin(SECONDS_TO_REACH) >= 0.99;
    return reached ? 0 : 1;
  }

  private void print(String name, Pressure.Result result) {
    System.out.printf(
        Locale.ROOT,
        "%-8s %,.0f questions/s with %,.0f updates/s; at the client p50 %,.2f ms, p99 %,.2f ms,"
            + " max %,.1f ms; the load generator took %.2f cores%n",
        name,
        result.questionsPerSecond(),
        result.updatesPerSecond() * batch,
        result.p50() / 1000,
        result.p99() / 1000,
        result.max() / 1000,
        result.ownCores());
  }
}
