package gilmok.lab.missions;

import gilmok.lab.Subject;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.RunResult;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Chapter.Verdict;
import gilmok.lab.report.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the traffic to and from Redis for 10,000 responses a second, by Redis' own statistics:
 * in the usual configuration, and with a cache in the process so small that hardly any rider is in
 * it. Not thread-safe.
 */
final class TrafficPart {
  private static final double RATE = 10_000;
  private static final double MEGABYTES = 5;

  private static final String HEAD =
      "cache in the process | answers/s | p50 ms | p99 ms | Redis MB/s"
          + " | Redis bytes an answer | for 10,000/s, MB/s | found in Redis, of answers"
          + " | loads | server µs | Redis µs | load, processors | errors";

  private final Rig rig;
  private final List<String> smallCache;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private final List<BarChart.Bar> bars = new ArrayList<>();

  /**
   * A part with its configuration.
   *
   * @param smallCache the settings of the small cache
   */
  TrafficPart(Rig rig, List<String> smallCache) {
    this.rig = rig;
    this.smallCache = smallCache;
  }

  Chapter run() throws IOException, InterruptedException {
    try (Subject redis = rig.redis();
        RedisDesk desk = new RedisDesk(redis.port())) {
      measure("usual", redis, desk, List.of());
      measure("too small", redis, desk, smallCache);
    }
    return new Chapter(
        "traffic",
        "Redis' traffic for 10,000 answers/s of " + rig.made().riders() + " riders",
        HEAD,
        rows,
        verdicts,
        List.of(
            "By Redis' own total_net_input_bytes and total_net_output_bytes. If 10,000/s are not"
                + " reached, what an answer costs is multiplied to that.",
            "Too small: " + String.join(", ", smallCache) + "."),
        List.of(new BarChart.Panel("Redis, MB/s for 10,000 answers/s", bars)));
  }

  private void measure(String cache, Subject redis, RedisDesk desk, List<String> more)
      throws IOException, InterruptedException {
    List<String> settings = new ArrayList<>(more);
    settings.add(Rig.shares(redis));
    settings.add("redis.prefix=lab" + rows.size());
    int riders = rig.made().riders();
    Rig.Times times = rig.times();
    try (Subject gilmok = rig.gilmok(settings)) {
      rig.fill(gilmok, riders);
      Load ask = rig.asking(List.of(gilmok), riders, "gzip");
      ask.warm(RATE, times.ownWarmup());
      final double foundBefore = found(gilmok);
      final double loadsBefore = Rig.loads(List.of(gilmok));
      RunResult result =
          ask.at(RATE, 0, times.seconds())
              .run(
                  List.of(
                      desk::bytes,
                      LoadRun.Watch.processor(List.of(gilmok)),
                      LoadRun.Watch.processor(List.of(redis))));
      rig.tell(cache + "  " + result.text() + "  Redis bytes " + result.watched().getFirst());
      double answers = Math.max(1, result.answers());
      double each = result.watched().get(0) / answers;
      double wanted = each * RATE / 1e6;
      rows.add(
          List.of(
              cache,
              Figures.whole(result.perSecond()),
              Figures.fine(result.p50()),
              Figures.fine(result.p99()),
              Figures.fine(result.watched().get(0) / 1e6 / result.wall()),
              Figures.whole(each),
              Figures.fine(wanted),
              Figures.fine((found(gilmok) - foundBefore) / answers),
              Figures.whole(Rig.loads(List.of(gilmok)) - loadsBefore),
              Figures.fine(result.watched().get(1) / 1e3 / answers),
              Figures.fine(result.watched().get(2) / 1e3 / answers),
              Figures.fine(result.cores()),
              Long.toString(result.errorCount())));
      verdicts.add(
          new Verdict(
              "Redis' traffic for 10,000 answers/s, cache " + cache,
              "under 5 MB/s, no error",
              Figures.fine(wanted) + " MB/s, errors " + result.errorCount(),
              wanted < MEGABYTES && result.errorCount() == 0));
      bars.add(Figures.bar("cache " + cache, wanted, "MB/s"));
    }
  }

  private static double found(Subject gilmok) throws IOException, InterruptedException {
    return Rig.count(List.of(gilmok), "gilmok_cache_shared_hits_total");
  }
}
