package gilmok.lab.story.database;

import com.mongodb.ExplainVerbosity;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Numbered documents in what stands for MongoDB, each asked for by an index of its number. Not by
 * {@code _id}: for a range of those, this stand-in reads all documents.
 */
final class MongoIds implements IdsEngine {
  private static final int INSERTED_AT_ONCE = 5_000;
  private static final String NUMBER = "number";
  private static final String AMOUNT = "amount";

  private final StandInDatabase database;
  private final MongoClient client;
  private final MongoCollection<Document> documents;

  private MongoIds(StandInDatabase database, MongoClient client) {
    this.database = database;
    this.client = client;
    documents = client.getDatabase("ids").getCollection("documents");
  }

  /** Starts a database with that many documents. */
  static MongoIds with(int count, StandInDatabase database) {
    MongoClient client =
        StandInDatabase.client(
            database.port(), StandInDatabase.Pool.fixed(1), new CommandCount("find"));
    MongoIds ids = new MongoIds(database, client);
    ids.documents.createIndex(Indexes.ascending(NUMBER, AMOUNT));
    for (int from = 0; from < count; from += INSERTED_AT_ONCE) {
      List<Document> some = new ArrayList<>();
      for (int number = from; number < Math.min(count, from + INSERTED_AT_ONCE); number++) {
        some.add(
            new Document("_id", number)
                .append(NUMBER, number)
                .append(AMOUNT, number % 977)
                .append("json", SqliteIds.TEXT));
      }
      ids.documents.insertMany(some, new InsertManyOptions().ordered(false));
    }
    return ids;
  }

  @Override
  public String name() {
    return "SecantusDB";
  }

  @Override
  public int ask(IdsWay way, List<Integer> numbers) {
    int found = 0;
    for (Document _ : find(way, numbers)) {
      found++;
    }
    return found;
  }

  /**
   * How many documents the database says that it has looked at, to answer with what its index
   * holds.
   */
  long documentsExamined(List<Integer> numbers) {
    Document stats =
        find(IdsWay.FIELDS, numbers)
            .explain(ExplainVerbosity.EXECUTION_STATS)
            .get("executionStats", Document.class);
    return stats.get("totalDocsExamined", Number.class).longValue();
  }

  private FindIterable<Document> find(IdsWay way, List<Integer> numbers) {
    Bson filter =
        way == IdsWay.RANGE
            ? Filters.and(
                Filters.gte(NUMBER, numbers.getFirst()), Filters.lte(NUMBER, numbers.getLast()))
            : Filters.in(NUMBER, numbers);
    FindIterable<Document> all = documents.find(filter).batchSize(numbers.size() + 1);
    return way == IdsWay.FIELDS
        ? all.projection(
            Projections.fields(Projections.include(NUMBER, AMOUNT), Projections.excludeId()))
        : all;
  }

  @Override
  public long bytesRead() {
    return -1; // by another process
  }

  @Override
  public void close() {
    client.close();
    database.close();
  }
}
