package gilmok.lab.story.database;

import gilmok.lab.load.LoadRun;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Figures;
import gilmok.lab.story.experiment.ChapterStory;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * Documents are asked for by a list of ids, that lie apart or together, and by a range.
 *
 * @param documents how many there are
 * @param counts how many are asked for at once, rising
 * @param questions of each kind, at most
 */
public record IdsStory(int documents, List<Integer> counts, int questions) implements ChapterStory {
  private static final long SEED = 7;
  private static final double P50 = 50;
  private static final double P99 = 99;
  private static final int PAGE_BYTES = 4_096;

  /** The share of the time, and of the questions, that warms up before each measurement. */
  private static final int WARMUP_SHARE = 5;

  private static final String HEAD =
      "engine | asked for | ids | questions | p50 ms | p99 ms | p50, of that with the fewest ids"
          + " | pages read";

  /**
   * What came of one kind of question.
   *
   * @param latencies in nanoseconds
   * @param pages of 4 KiB that a question reads, the median; not a number if that cannot be known
   */
  record Outcome(String engine, IdsWay way, int ids, Histogram latencies, double pages) {
    double millis(double percentile) {
      return latencies.getValueAtPercentile(percentile) / 1e6;
    }
  }

  @Override
  public String name() {
    return "ids";
  }

  @Override
  public String told() {
    return "$in of m values takes a time that grows with m, by the disk; only fields that the index"
        + " holds should be asked for.";
  }

  @Override
  public Chapter show(StoryStage stage) throws IOException, InterruptedException {
    List<Outcome> outcomes = new ArrayList<>();
    long examined;
    try (MongoIds mongo = MongoIds.with(documents, StandInDatabase.start(stage))) {
      outcomes.addAll(outcomes(mongo, stage.seconds()));
      examined =
          mongo.documentsExamined(
              IdsWay.FIELDS.numbers(counts.getFirst(), documents, new Random(SEED)));
    }
    try (SqliteIds sqlite = SqliteIds.with(documents, stage.folder().resolve("ids.db"))) {
      outcomes.addAll(outcomes(sqlite, stage.seconds()));
    }
    return new Chapter(
        name(),
        "Story: " + name(),
        HEAD,
        outcomes.stream().map(outcome -> row(outcome, outcomes)).toList(),
        List.of(),
        List.of(
            "Told: " + told(),
            StandInDatabase.NOTE,
            "SQLite is no stand-in: its table is one without row ids, as this server's, and it"
                + " reads pages of 4 KiB by a cache of 512 KiB, as a database that is larger than"
                + " its memory. These pages are in the kernel's memory here; where they are on a"
                + " disk, each is a read of its own.",
            "To be seen in SQLite: the pages, and with them the time, grow with the scattered ids,"
                + " and hardly with those next to each other.",
            "SecantusDB compares what it finds with each value of the list, so its time grows"
                + " faster than the list, and for a range it reads all documents. That is its own,"
                + " and no MongoDB's.",
            "An index that holds all that is asked for spares a MongoDB the documents. SecantusDB"
                + " looked at "
                + Figures.whole(examined)
                + " documents for "
                + Figures.whole(counts.getFirst())
                + " such answers"
                + (examined == 0 ? "." : ", so it cannot show that; SQLite does.")),
        panels(outcomes));
  }

  private List<String> row(Outcome outcome, List<Outcome> all) {
    double fewest =
        all.stream()
            .filter(other -> other.engine.equals(outcome.engine) && other.way == outcome.way)
            .findFirst()
            .orElseThrow()
            .millis(P50);
    return List.of(
        outcome.engine,
        outcome.way.label(),
        Figures.whole(outcome.ids),
        Figures.whole(outcome.latencies.getTotalCount()),
        Figures.fine(outcome.millis(P50)),
        Figures.fine(outcome.millis(P99)),
        Figures.fine(outcome.millis(P50) / fewest),
        Double.isNaN(outcome.pages) ? Figures.NONE : Figures.whole(outcome.pages));
  }

  private static List<BarChart.Panel> panels(List<Outcome> outcomes) {
    List<BarChart.Panel> panels = new ArrayList<>();
    for (String engine : outcomes.stream().map(Outcome::engine).distinct().toList()) {
      panels.add(
          new BarChart.Panel(
              engine + ", p50, ms",
              outcomes.stream()
                  .filter(outcome -> outcome.engine.equals(engine))
                  .map(
                      outcome ->
                          Figures.bar(
                              outcome.ids + " " + outcome.way.label(), outcome.millis(P50), "ms"))
                  .toList()));
    }
    return panels;
  }

  /** Measures each kind of question; blocks. */
  List<Outcome> outcomes(IdsEngine engine, double seconds) throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    for (IdsWay way : IdsWay.values()) {
      for (int ids : counts) {
        measure(engine, way, ids, questions / WARMUP_SHARE, seconds / WARMUP_SHARE);
        outcomes.add(measure(engine, way, ids, questions, seconds));
      }
    }
    return outcomes;
  }

  private Outcome measure(IdsEngine engine, IdsWay way, int ids, int questionsMax, double seconds)
      throws IOException {
    Random random = new Random(SEED + questionsMax);
    Histogram latencies = LoadRun.histogram();
    List<Double> pages = new ArrayList<>();
    long until = System.nanoTime() + (long) (seconds * 1e9);
    do {
      List<Integer> numbers = way.numbers(ids, documents, random);
      long readBefore = engine.bytesRead();
      long began = System.nanoTime();
      int found = engine.ask(way, numbers);
      latencies.recordValue(System.nanoTime() - began);
      long read = engine.bytesRead() - readBefore;
      if (found != ids) {
        throw new IOException(engine.name() + ", " + way.label() + ": found " + found);
      }
      pages.add(readBefore < 0 ? Double.NaN : (double) read / PAGE_BYTES);
    } while (latencies.getTotalCount() < questionsMax && System.nanoTime() < until);
    return new Outcome(engine.name(), way, ids, latencies, Figures.median(pages));
  }
}
