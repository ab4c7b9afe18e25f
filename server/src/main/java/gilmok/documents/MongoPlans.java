package gilmok.documents;

import com.mongodb.MongoCommandException;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Asks MongoDB for the plans of queries. Reads only. Thread-safe; blocks. */
public record MongoPlans(MongoDocuments documents) {
  /**
   * The plan that MongoDB would choose.
   *
   * @param stages its stages and indexes, in words
   * @param scans whether it scans a whole collection
   */
  public record Plan(String stages, boolean scans) {}

  /** The plan of a query; null when the server does not support {@code explain}. */
  public @Nullable Plan explain(MongoQuery query) throws IOException, InterruptedException {
    BsonDocument find =
        new BsonDocument("find", new BsonString(query.collection()))
            .append("filter", query.filter().toBsonDocument());
    BsonDocument sort = query.sort().toBsonDocument();
    if (!sort.isEmpty()) {
      find.append("sort", sort);
    }
    BsonDocument command =
        new BsonDocument("explain", find).append("verbosity", new BsonString("queryPlanner"));
    BsonDocument answer =
        documents.ask(
            () -> {
              try {
                return documents.run(command);
              } catch (MongoCommandException unknown) { // a server without explain
                return new BsonDocument();
              }
            });
    BsonValue planner = answer.get("queryPlanner");
    BsonValue winner = planner == null ? null : planner.asDocument().get("winningPlan");
    if (winner == null) {
      return null;
    }
    Set<String> words = new TreeSet<>();
    collect(winner, words);
    return new Plan(String.join(", ", words), words.contains("COLLSCAN"));
  }

  private static void collect(BsonValue value, Set<String> words) {
    if (value.isDocument()) {
      value
          .asDocument()
          .forEach(
              (name, inner) -> {
                if (inner.isString() && name.equals("stage")) {
                  words.add(inner.asString().getValue());
                } else if (inner.isString() && name.equals("indexName")) {
                  words.add("index " + inner.asString().getValue());
                } else {
                  collect(inner, words);
                }
              });
    } else if (value.isArray()) {
      value.asArray().forEach(inner -> collect(inner, words));
    }
  }
}
