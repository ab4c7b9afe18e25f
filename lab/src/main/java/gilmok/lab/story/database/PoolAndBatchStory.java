package gilmok.lab.story.database;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Indexes;
import gilmok.lab.ProcessorClock;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadRun;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Figures;
import gilmok.lab.story.experiment.ChapterStory;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.bson.Document;

/**
 * A statement of many documents is asked for with another pool, by other batches, and mapped in
 * other ways.
 *
 * @param documents of each statement
 * @param threads that ask at the same time
 */
public record PoolAndBatchStory(int documents, int threads) implements ChapterStory {
  private static final int ROUNDS = 3;
  private static final double WARMUP = 2;
  private static final String DATABASE = "statements";
  private static final String HEAD =
      "mapping | pool | batch | round trips | statements/s | p50 ms | p99 ms | processor µs each";

  /**
   * How statements are made.
   *
   * @param batch the most documents of an answer; 0 for the database's own
   */
  record Setup(MappingWay mapping, StandInDatabase.Pool pool, int batch) {
    private String poolLabel() {
      return pool.min() == pool.max()
          ? "always " + pool.max()
          : pool.min() + " to " + pool.max() + ", the default";
    }
  }

  /**
   * What came of one setup.
   *
   * @param statement that was made
   * @param roundTrips of a statement
   * @param latencies in nanoseconds
   * @param wallNanos of all rounds
   * @param processorNanos of all rounds: of asking, mapping and summing
   */
  record Outcome(
      Setup setup,
      Map<LocalDate, Long> statement,
      long roundTrips,
      Histogram latencies,
      long wallNanos,
      long processorNanos) {
    private double perSecond() {
      return latencies.getTotalCount() * 1e9 / wallNanos;
    }

    private double micros() {
      return processorNanos / 1e3 / latencies.getTotalCount();
    }

    private String label(int documents) {
      String batch = setup.batch > documents ? "all" : Figures.whole(setup.batch);
      return setup.batch == 0 ? "the default" : batch;
    }
  }

  @Override
  public String name() {
    return "pool-and-batch";
  }

  @Override
  public String told() {
    return "A statement of 1,000 documents filled a processor. A pool of a fixed size and another"
        + " batch size of the cursor were tried first, without gain; the mapping was it.";
  }

  /** All setups: one thing is changed at a time. */
  private List<Setup> setups() {
    StandInDatabase.Pool usual = StandInDatabase.Pool.DEFAULT;
    StandInDatabase.Pool fixed = StandInDatabase.Pool.fixed(threads);
    int all = documents + 1; // with as many as there are, a database cannot know that it is the end
    return List.of(
        new Setup(MappingWay.OBJECTS, usual, 0),
        new Setup(MappingWay.OBJECTS, fixed, 0),
        new Setup(MappingWay.OBJECTS, usual, 101),
        new Setup(MappingWay.OBJECTS, usual, 1_000),
        new Setup(MappingWay.OBJECTS, usual, all),
        new Setup(MappingWay.DOCUMENTS, usual, all),
        new Setup(MappingWay.BYTES, usual, all));
  }

  @Override
  public Chapter show(StoryStage stage) throws IOException, InterruptedException {
    List<Outcome> outcomes = outcomes(stage);
    List<BarChart.Bar> rates = new ArrayList<>();
    List<BarChart.Bar> costs = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      Setup setup = outcome.setup;
      String batch = outcome.label(documents);
      rows.add(
          List.of(
              setup.mapping.label(),
              setup.poolLabel(),
              batch,
              Figures.whole(outcome.roundTrips),
              Figures.whole(outcome.perSecond()),
              Figures.fine(outcome.latencies.getValueAtPercentile(50) / 1e6),
              Figures.fine(outcome.latencies.getValueAtPercentile(99) / 1e6),
              Figures.whole(outcome.micros())));
      String label = setup.mapping.label() + "; pool " + setup.poolLabel() + "; batch " + batch;
      rates.add(Figures.bar(label, outcome.perSecond(), "a second"));
      costs.add(Figures.bar(label, outcome.micros(), "µs"));
    }
    return new Chapter(
        name(),
        "Story: " + name(),
        HEAD,
        rows,
        List.of(),
        List.of(
            "Told: " + told(),
            "The database is a stand-in for MongoDB, SecantusDB, whose answers were recorded and"
                + " are sent again by another process, so that its own slowness is not measured."
                + " Shapes and round trips carry over to a MongoDB, absolute times do not; between"
                + " machines each round trip adds its time.",
            "To be seen: neither the pool nor the batch changes much; the mapping does. The mapper is"
                + " that of MongoDB's driver, not Spring Data's as in the story, which"
                + " lab statements --only WAYS measures.",
            Figures.whole(documents)
                + " documents, "
                + threads
                + " threads that ask again at once, all setups in turn. The processor's time is"
                + " that of asking, mapping and summing, without the process that answers. All ways"
                + " ask for whole documents, and make the same statement."),
        List.of(
            new BarChart.Panel("statements a second", rates),
            new BarChart.Panel("processor time a statement", costs)));
  }

  /** Measures each setup; blocks. */
  List<Outcome> outcomes(StoryStage stage) throws IOException, InterruptedException {
    try (StandInDatabase database = StandInDatabase.start(stage)) {
      fill(database);
      try (Subject replay = stage.servers().mongoReplay(database.port())) {
        List<Measuring> all = new ArrayList<>();
        try {
          for (Setup setup : setups()) {
            all.add(new Measuring(setup, replay.port(), threads));
          }
          for (Measuring one : all) { // also records the database's answers
            one.ask(Math.min(WARMUP, stage.seconds()));
            one.forget();
          }
          for (int round = 0; round < ROUNDS; round++) {
            for (Measuring one : all) {
              one.ask(stage.seconds() / ROUNDS);
            }
          }
          List<Outcome> outcomes = new ArrayList<>();
          for (Measuring one : all) {
            outcomes.add(one.outcome());
          }
          return outcomes;
        } finally {
          all.forEach(Measuring::close);
        }
      }
    }
  }

  private void fill(StandInDatabase database) {
    try (MongoClient client =
        StandInDatabase.client(
            database.port(), StandInDatabase.Pool.DEFAULT, new CommandCount("insert"))) {
      MongoCollection<Document> entries =
          client.getDatabase(DATABASE).getCollection(MappingWay.COLLECTION);
      entries.createIndex(Indexes.ascending("riderId", "at"));
      entries.insertMany(IntStream.range(0, documents).mapToObj(this::entry).toList());
    }
  }

  private Document entry(int number) {
    long length = MappingWay.DAYS.untilMillis() - MappingWay.DAYS.fromMillis();
    String kind = number % 20 == 0 ? "deduction" : number % 20 < 4 ? "incentive" : "fee";
    String delivery = "01KJ%022d".formatted(number);
    return new Document("_id", delivery + ":" + kind)
        .append("riderId", MappingWay.RIDER)
        .append("at", MappingWay.DAYS.fromMillis() + length * number / documents)
        .append("kind", kind)
        .append("amount", 2_000L + number % 40 * 100)
        .append("distance", number * 977L % 6_000_000)
        .append("currency", MappingWay.CURRENCY)
        .append("deliveryId", delivery);
  }

  /** Measures one setup, in rounds. Not thread-safe. */
  private static final class Measuring implements AutoCloseable {
    private final Setup setup;
    private final int threads;
    private final CommandCount sent = new CommandCount("find", "getMore");
    private final MongoClient client;
    private final MongoDatabase database;
    private final Recorder latencies = LoadRun.recorder();
    private final ExecutorService askers;
    private long wallNanos;
    private long processorNanos;

    Measuring(Setup setup, int port, int threads) {
      this.setup = setup;
      this.threads = threads;
      client = StandInDatabase.client(port, setup.pool, sent);
      database = client.getDatabase(DATABASE);
      askers = Executors.newFixedThreadPool(threads);
    }

    void ask(double seconds) throws IOException, InterruptedException {
      long processorBefore = ProcessorClock.own().nanos();
      long began = System.nanoTime();
      long until = began + (long) (seconds * 1e9);
      Callable<Boolean> asking =
          () -> {
            while (System.nanoTime() < until) {
              long asked = System.nanoTime();
              var _ = setup.mapping.statement(database, setup.batch);
              latencies.recordValue(System.nanoTime() - asked);
            }
            return true;
          };
      try {
        for (Future<Boolean> end :
            askers.invokeAll(IntStream.range(0, threads).mapToObj(_ -> asking).toList())) {
          end.get();
        }
      } catch (ExecutionException failed) {
        throw new IOException("not asked: " + failed.getCause(), failed);
      }
      wallNanos += System.nanoTime() - began;
      processorNanos += ProcessorClock.own().nanos() - processorBefore;
    }

    /** Forgets what was measured so far. */
    void forget() {
      latencies.reset();
      wallNanos = 0;
      processorNanos = 0;
    }

    Outcome outcome() throws IOException {
      Histogram all = latencies.getIntervalHistogram();
      long before = sent.sent();
      Map<LocalDate, Long> statement = setup.mapping.statement(database, setup.batch);
      return new Outcome(setup, statement, sent.sent() - before, all, wallNanos, processorNanos);
    }

    @Override
    public void close() {
      askers.shutdownNow();
      client.close();
    }
  }
}
