package gilmok.lab.story;

import gilmok.lab.LabClient;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.PositionsWorkload;
import gilmok.lab.load.RunResult;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Chapter.Verdict;
import gilmok.lab.report.Figures;
import gilmok.lab.story.experiment.ChapterStory;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/**
 * One data centre takes all: the phones of three servers are sent to one of them within a second,
 * which is less than the half that was told, and back.
 */
record SqueezeStory() implements ChapterStory {
  private static final int SERVERS = 3;
  private static final double PER_SECOND = 6_000;
  private static final int CONNECTIONS = 1_500;
  private static final int RIDERS = 10_000;
  private static final double WARMUP = 20;

  /** How many measurements long the squeeze is: ten minutes, if one is ten seconds. */
  private static final int LONG = 60;

  private static final int FIRST = 5;
  private static final double P50 = 50;
  private static final double P99 = 99;
  private static final double MOST = 100;
  private static final int LOOKS = 50;
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(5);
  private static final String HEAD =
      "phase | servers | asked/s | answered/s | p50 | p99 | max | failed | servers, cores";

  @Override
  public String name() {
    return "squeeze";
  }

  @Override
  public String told() {
    return "A test was planned in which one data centre takes the whole load: half of the servers,"
        + " for ten minutes.";
  }

  @Override
  public Chapter show(StoryStage stage) throws IOException, InterruptedException {
    List<Subject> all = new ArrayList<>();
    try {
      for (int i = 0; i < SERVERS; i++) {
        all.add(stage.servers().gilmok(stage.heap(), List.of()));
      }
      return squeeze(stage, all);
    } finally {
      all.forEach(Subject::close);
    }
  }

  private static Chapter squeeze(StoryStage stage, List<Subject> all)
      throws IOException, InterruptedException {
    List<Subject> one = List.of(all.getFirst());
    Sums sums = new Sums();
    double warmup = Math.min(WARMUP, 2 * stage.seconds());
    RunResult before = sums.run(all, warmup, stage.seconds());
    RunResult squeezed = sums.run(one, 0, LONG * stage.seconds());
    RunResult after = sums.run(all, 0, stage.seconds());
    int seconds = squeezed.bySecond().size();
    List<Phase> phases =
        List.of(
            new Phase("before", SERVERS, before, before.latencies()),
            new Phase("its first seconds", 1, squeezed, squeezed.latenciesOf(0, FIRST)),
            new Phase("one takes all", 1, squeezed, squeezed.latencies()),
            new Phase(
                "its last minute", 1, squeezed, squeezed.latenciesOf(seconds - LONG, seconds)),
            new Phase("after", SERVERS, after, after.latencies()));

    long stored = 0;
    for (Subject server : all) {
      stored += stored(server);
    }
    boolean isKept = stored >= sums.acknowledged;
    return new Chapter(
        "squeeze",
        "Story: squeeze",
        HEAD,
        phases.stream().map(Phase::row).toList(),
        List.of(
            new Verdict(
                "acknowledged records that are stored",
                "all",
                Figures.whole(sums.acknowledged) + " of them, " + Figures.whole(stored) + " stored",
                isKept)),
        List.of(
            "Told: " + new SqueezeStory().told(),
            "All servers and the load share this machine, so that this shows what the phones'"
                + " change costs, not a third of the processors.",
            "Milliseconds from when a request was due; one position each, 1,500 phones."),
        List.of(
            new BarChart.Panel(
                "p99, ms",
                phases.stream()
                    .map(phase -> Figures.bar(phase.name, phase.millis(P99), "ms"))
                    .toList())));
  }

  /**
   * What was measured in a time.
   *
   * @param servers that took the load
   * @param of the latencies of that time
   */
  private record Phase(String name, int servers, RunResult result, Histogram of) {
    double millis(double percentile) {
      return of.getValueAtPercentile(percentile) / 1e6;
    }

    List<String> row() {
      return List.of(
          name,
          Integer.toString(servers),
          Figures.whole(PER_SECOND),
          Figures.whole(result.perSecond()),
          Figures.fine(millis(P50)),
          Figures.fine(millis(P99)),
          Figures.fine(millis(MOST)),
          result.errors().isEmpty() ? "" : result.errors().toString(),
          Figures.fine(result.watched().getFirst() / result.used().wallNanos()));
    }
  }

  /** What a server has stored of positions; waits until its account is settled. */
  private static long stored(Subject server) throws IOException, InterruptedException {
    try (LabClient client = new LabClient(server.url(), Servers.KEY, ANSWER_WAIT)) {
      JsonNode ledger = client.json("/v1/ledger");
      for (int i = 0; i < LOOKS && ledger.path("residue").asLong() != 0; i++) {
        TimeUnit.MILLISECONDS.sleep(200);
        ledger = client.json("/v1/ledger");
      }
      for (JsonNode stream : ledger.path("streams")) {
        if (stream.path("stream").asString("").equals("traces")) {
          return stream.path("accepted").asLong();
        }
      }
      return 0;
    }
  }

  /** Counts what was acknowledged over all phases. Not thread-safe. */
  private static final class Sums {
    private final PositionsWorkload.Plan plan =
        new PositionsWorkload.Plan("/v1/traces", Servers.KEY, 1, RIDERS, false);
    private long acknowledged;

    RunResult run(List<Subject> servers, double warmup, double seconds)
        throws IOException, InterruptedException {
      PositionsWorkload phones = new PositionsWorkload(plan, 0, 1);
      LoadPlan load =
          LoadPlan.closed(servers.stream().map(Subject::port).toList(), CONNECTIONS)
              .at(PER_SECOND, warmup, seconds);
      RunResult result =
          new LoadRun(load, phones)
              .keepingSeconds((int) Math.ceil(seconds))
              .watching(List.of(LoadRun.Watch.processor(servers)))
              .run();
      acknowledged += phones.acknowledged();
      return result;
    }
  }
}
