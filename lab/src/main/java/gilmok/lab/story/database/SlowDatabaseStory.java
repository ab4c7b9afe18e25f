package gilmok.lab.story.database;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.deliveries.DeliverySteps;
import gilmok.lab.link.SlowLink;
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

/**
 * Phones send positions while deliveries go their way, and the database is farther and farther
 * away, and at last gone.
 *
 * @param delays of the database's answers, milliseconds
 * @param positions a second
 * @param deliveries a second, each with five steps
 */
public record SlowDatabaseStory(List<Integer> delays, double positions, double deliveries)
    implements ChapterStory {
  private static final int CONNECTIONS = 64;
  private static final int RIDERS = 1_000;
  private static final double WARMUP = 10;
  private static final String HEAD =
      "database | positions/s | p50 | p99 | not 202 | steps/s | p50 | p99 | max | failed";

  /**
   * What came of one distance.
   *
   * @param database how far away it was
   */
  record Outcome(String database, RunResult positions, RunResult steps) {
    private List<String> row() {
      return List.of(
          database,
          Figures.whole(positions.perSecond()),
          Figures.fine(positions.p50()),
          Figures.fine(positions.p99()),
          failed(positions),
          Figures.fine(steps.perSecond()),
          Figures.fine(steps.p50()),
          Figures.fine(steps.p99()),
          Figures.fine(steps.max()),
          failed(steps));
    }

    private static String failed(RunResult result) {
      return result.errors().isEmpty() ? Figures.NONE : result.errors().toString();
    }
  }

  @Override
  public String name() {
    return "slow-database";
  }

  @Override
  public String told() {
    return "The bottleneck was looked for, and at last it was the database; it was made larger.";
  }

  @Override
  public Chapter show(StoryStage stage) throws IOException, InterruptedException {
    List<Outcome> outcomes = outcomes(stage);
    long answered = outcomes.stream().mapToLong(outcome -> outcome.positions.answered()).sum();
    long other = outcomes.stream().mapToLong(outcome -> outcome.positions.errorCount()).sum();
    return new Chapter(
        name(),
        "Story: " + name(),
        HEAD,
        outcomes.stream().map(Outcome::row).toList(),
        List.of(
            new Verdict(
                "positions answered by 202",
                "all",
                Figures.whole(answered) + ", and " + Figures.whole(other) + " not",
                other == 0 && answered > 0)),
        List.of(
            "Told: " + told(),
            StandInDatabase.NOTE,
            "To be seen: positions do not wait for the database, even if it is gone. A step of a"
                + " delivery takes the database's time, and is refused (503) within"
                + " documents.mongo-timeout, 5 s, when it is gone.",
            "Milliseconds from when a request was due. "
                + Figures.fine(deliveries)
                + " deliveries a second, whose five steps follow each other; "
                + Figures.whole(positions)
                + " positions a second. The server, its database and the load share this machine."),
        List.of(
            new BarChart.Panel(
                "positions, p99, ms",
                outcomes.stream()
                    .map(one -> Figures.bar(one.database, one.positions.p99(), "ms"))
                    .toList()),
            new BarChart.Panel(
                "steps of deliveries, p99, ms",
                outcomes.stream()
                    .map(one -> Figures.bar(one.database, one.steps.p99(), "ms"))
                    .toList())));
  }

  /** Measures each distance; blocks. */
  List<Outcome> outcomes(StoryStage stage) throws IOException, InterruptedException {
    List<Outcome> outcomes = new ArrayList<>();
    try (StandInDatabase database = StandInDatabase.start(stage)) {
      for (int delay : delays) {
        outcomes.addAll(outcomes(stage, database.port(), delay));
      }
    }
    return outcomes;
  }

  private List<Outcome> outcomes(StoryStage stage, int port, int delay)
      throws IOException, InterruptedException {
    List<Outcome> outcomes = new ArrayList<>();
    SlowLink link = SlowLink.open(0, port, Duration.ofMillis(delay));
    try (Subject server = server(stage, link.port(), delay)) {
      var _ = measure("", server, Math.min(WARMUP, stage.seconds()));
      outcomes.add(measure(delay + " ms away", server, stage.seconds()));
      if (delay == delays.getLast()) {
        link.close();
        outcomes.add(measure("gone", server, stage.seconds()));
      }
    } finally {
      link.close();
    }
    return outcomes;
  }

  private static Subject server(StoryStage stage, int port, int delay)
      throws IOException, InterruptedException {
    String uri = StandInDatabase.uri(port, "slow_" + delay);
    return stage.servers().gilmok(stage.heap(), List.of("--set", "documents.mongo-uri=" + uri));
  }

  private Outcome measure(String database, Subject server, double seconds)
      throws IOException, InterruptedException {
    LoadPlan plan = LoadPlan.closed(List.of(server.port()), CONNECTIONS);
    PositionsWorkload.Plan phones =
        new PositionsWorkload.Plan("/v1/traces", Servers.KEY, 1, RIDERS, false);
    List<RunResult> results =
        new LoadRun(plan.at(positions, 0, seconds), new PositionsWorkload(phones, 0, 1))
            .beside(
                plan.at(deliveries, 0, seconds),
                DeliverySteps.of("slow-" + System.nanoTime(), Servers.KEY, 0, 1))
            .runAll();
    return new Outcome(database, results.getFirst(), results.getLast());
  }
}
