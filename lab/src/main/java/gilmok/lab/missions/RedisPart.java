package gilmok.lab.missions;

import gilmok.lab.Subject;
import gilmok.lab.load.RunResult;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Chapter.Verdict;
import gilmok.lab.report.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Kills and restarts Redis while three processes serve requests for one key: measures the loads of
 * each process meanwhile, and whether requests fail. Not thread-safe.
 */
final class RedisPart {
  private static final int TOGETHER = 3;

  private static final String HEAD =
      "life of what is cached | process | loads before, Redis there"
          + " | loads while it is away | loads after, Redis there"
          + " | answers/s, p50, p99 ms of all | errors of all";

  private final Rig rig;
  private final double rate;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private final List<BarChart.Bar> bars = new ArrayList<>();

  RedisPart(Rig rig, double rate) {
    this.rig = rig;
    this.rate = rate;
  }

  Chapter run() throws IOException, InterruptedException {
    try (Subject own = rig.database()) {
      String shared = rig.shared(own);
      restart(
          "1 s",
          List.of(ExpiryPart.SHORT, shared),
          ExpiryPart.loadsMax(rig.times().seconds()),
          "at most 1 an expiry: " + Figures.whole(ExpiryPart.loadsMax(rig.times().seconds())));
      restart("usual", List.of(shared), 1, "at most 1");
    }
    return new Chapter(
        "redis",
        "Redis restarted under " + Figures.whole(rate) + " requests/s for one key",
        HEAD,
        rows,
        verdicts,
        List.of(
            "Redis is killed as by kill -9, away for "
                + Figures.whole(rig.times().seconds())
                + " s, and begins again empty, on the same port; before and after it is there for"
                + " as long. Loads are the servers' own count."),
        List.of(new BarChart.Panel("loads while Redis is away", bars)));
  }

  private void restart(String life, List<String> settings, double loadsMax, String reach)
      throws IOException, InterruptedException {
    Subject redis = rig.redis();
    try {
      List<String> all = new ArrayList<>(settings);
      all.add(Rig.shares(redis));
      try (Group group = Group.start(rig, TOGETHER, all)) {
        rig.fill(group.first(), 1);
        Load ask = rig.asking(group.servers(), 1, "gzip");
        ask.warm(rate, rig.times().ownWarmup());
        double span = rig.times().seconds();
        CompletableFuture<RunResult> running = begin(ask.at(rate, 0, 3 * span + 2));
        final List<Double> first = group.loads();
        sleep(span);
        redis.kill();
        final List<Double> gone = group.loads();
        rig.tell("Redis is gone");
        sleep(span);
        final List<Double> back = group.loads();
        redis = rig.redis(redis.port());
        rig.tell("Redis is back");
        sleep(span);
        final List<Double> last = group.loads();
        RunResult result = end(running);
        rig.tell(life + "  " + result.text());
        judge(life, List.of(first, gone, back, last), result, loadsMax, reach);
      }
    } finally {
      redis.close();
    }
  }

  private static void sleep(double seconds) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep((long) (1_000 * seconds));
  }

  private static CompletableFuture<RunResult> begin(Load load) {
    CompletableFuture<RunResult> result = new CompletableFuture<>();
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("lab-load")
            .start(
                () -> {
                  try {
                    result.complete(load.run(List.of()));
                  } catch (IOException | InterruptedException failed) {
                    result.completeExceptionally(failed);
                  }
                });
    return result;
  }

  private static RunResult end(CompletableFuture<RunResult> running)
      throws IOException, InterruptedException {
    try {
      return running.get();
    } catch (ExecutionException failed) {
      throw new IOException("the load failed", failed);
    }
  }

  private void judge(
      String life, List<List<Double>> counts, RunResult result, double loadsMax, String reach) {
    double most = 0;
    for (int i = 0; i < TOGETHER; i++) {
      double away = counts.get(2).get(i) - counts.get(1).get(i);
      most = Math.max(most, away);
      rows.add(
          List.of(
              life,
              Integer.toString(i + 1),
              Figures.whole(counts.get(1).get(i) - counts.get(0).get(i)),
              Figures.whole(away),
              Figures.whole(counts.get(3).get(i) - counts.get(2).get(i)),
              Figures.whole(result.perSecond())
                  + ", "
                  + Figures.fine(result.p50())
                  + ", "
                  + Figures.fine(result.p99()),
              Long.toString(result.errorCount())));
      bars.add(Figures.bar("life " + life + ", process " + (i + 1), away, "loads"));
    }
    verdicts.add(
        new Verdict(
            "most loads of a process while Redis is away, life " + life,
            reach,
            Figures.whole(most),
            most <= loadsMax));
    verdicts.add(
        new Verdict(
            "errors, life " + life,
            "none",
            result.errorCount() + (result.errors().isEmpty() ? "" : " " + result.errors()),
            result.errorCount() == 0));
  }
}
