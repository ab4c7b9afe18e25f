package gilmok.lab.story.database;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import gilmok.lab.link.SlowLink;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Figures;
import gilmok.lab.story.experiment.ChapterStory;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;

/**
 * Many documents are inserted: each in a call of its own, in parallel, and in chunks.
 *
 * @param documents how many, at most as many as the queue holds
 * @param delayMillis of the slow way to the database
 */
public record InsertsStory(int documents, int delayMillis) implements ChapterStory {
  private static final String HEAD =
      "database | way | insert commands | ms for all | documents/s | rounds";

  public InsertsStory {
    if (documents < 1 || documents > InsertWay.QUEUE_MAX) {
      throw new IllegalArgumentException("documents: 1 to " + InsertWay.QUEUE_MAX);
    }
  }

  /**
   * What came of one way.
   *
   * @param database how far away it was
   * @param commands that inserted all documents
   * @param millis for all documents, of each round
   */
  record Outcome(String database, InsertWay way, long commands, List<Double> millis) {
    /** The median of the rounds. */
    double median() {
      return Figures.median(millis);
    }
  }

  @Override
  public String name() {
    return "inserts";
  }

  @Override
  public String told() {
    return "Inserts ran in parallel, by as many threads as connections, from a queue of 10,000"
        + " against running out of memory.";
  }

  @Override
  public Chapter show(StoryStage stage) throws IOException, InterruptedException {
    List<Outcome> outcomes = outcomes(stage);
    List<BarChart.Bar> bars = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      double millis = outcome.median();
      rows.add(
          List.of(
              outcome.database,
              outcome.way.label(),
              Figures.whole(outcome.commands),
              Figures.fine(millis),
              Figures.whole(documents * 1e3 / millis),
              Figures.whole(outcome.millis.size())));
      bars.add(Figures.bar(outcome.database + ", " + outcome.way.label(), millis, "ms"));
    }
    return new Chapter(
        name(),
        "Story: " + name(),
        HEAD,
        rows,
        List.of(),
        List.of(
            "Told: " + told(),
            StandInDatabase.NOTE,
            "To be seen: far away, what counts is how often one waits for an answer; chunks spare"
                + " the calls themselves, too.",
            Figures.whole(documents)
                + " documents of 250 bytes; the median of the rounds; each command is one round"
                + " trip.",
            "The same in this server's SQLite is measured by MissionStoreSpeed: there a call is a"
                + " commit, not a way."),
        List.of(new BarChart.Panel("ms for all documents", bars)));
  }

  /** Measures each way, near and far; blocks. */
  List<Outcome> outcomes(StoryStage stage) throws IOException, InterruptedException {
    try (StandInDatabase database = StandInDatabase.start(stage);
        SlowLink link = SlowLink.open(0, database.port(), Duration.ofMillis(delayMillis))) {
      for (InsertWay way : InsertWay.values()) { // until the driver and the database are warm
        measure("", database.port(), way, Math.min(1, stage.seconds() / 4));
      }
      List<Outcome> outcomes = new ArrayList<>();
      for (InsertWay way : InsertWay.values()) {
        outcomes.add(measure("near", database.port(), way, stage.seconds()));
      }
      for (InsertWay way : InsertWay.values()) {
        outcomes.add(measure(delayMillis + " ms away", link.port(), way, stage.seconds()));
      }
      return outcomes;
    }
  }

  private Outcome measure(String database, int port, InsertWay way, double seconds)
      throws IOException, InterruptedException {
    CommandCount inserts = new CommandCount("insert");
    StandInDatabase.Pool pool = StandInDatabase.Pool.fixed(way.writers());
    try (MongoClient client = StandInDatabase.client(port, pool, inserts)) {
      MongoCollection<Document> into = client.getDatabase("inserts").getCollection("documents");
      into.drop();
      way.insert(documents(2 * way.writers()), into); // opens the connections
      List<Double> millis = new ArrayList<>();
      long commands = 0;
      long until = System.nanoTime() + (long) (seconds * 1e9);
      do {
        into.drop();
        List<Document> all = documents(documents);
        long before = inserts.sent();
        long began = System.nanoTime();
        way.insert(all, into);
        millis.add((System.nanoTime() - began) / 1e6);
        commands = inserts.sent() - before;
        long stored = into.countDocuments();
        if (stored != documents) {
          throw new IOException(way.label() + ": " + stored + " stored");
        }
      } while (System.nanoTime() < until);
      return new Outcome(database, way, commands, millis);
    }
  }

  private static List<Document> documents(int count) {
    String text = "x".repeat(200);
    return IntStream.range(0, count)
        .mapToObj(number -> new Document("_id", number).append("count", 0).append("json", text))
        .toList();
  }
}
