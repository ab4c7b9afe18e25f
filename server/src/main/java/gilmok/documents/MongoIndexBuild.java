package gilmok.documents;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import gilmok.background.BackgroundThread;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A build of indexes in a collection that has documents. It takes minutes or hours, on a thread of
 * its own that waits without a limit. It ends when the indexes are built, when MongoDB refuses, or
 * when the client is closed; in the last case MongoDB goes on building. Thread-safe.
 */
final class MongoIndexBuild {
  private final MongoDocuments documents;
  private final String collection;
  private final String names;
  private final long beganNanos = System.nanoTime();
  private final Thread thread;
  private volatile @Nullable String fault;

  /** Starts the build. */
  MongoIndexBuild(MongoDocuments documents, String collection, List<MongoIndex> indexes) {
    this.documents = documents;
    this.collection = collection;
    names = indexes.stream().map(MongoIndex::name).collect(Collectors.joining(", "));
    thread = BackgroundThread.virtual("mongo-indexes-" + collection, () -> make(indexes));
    thread.start();
  }

  private void make(List<MongoIndex> indexes) {
    MongoCollection<BsonDocument> whole = documents.raw(collection);
    try {
      MongoIndex.create(whole.withTimeout(0, TimeUnit.MILLISECONDS), indexes);
    } catch (MongoException refused) {
      fault = said(refused);
    } catch (RuntimeException closed) { // thrown when the client is closed
      fault = "MongoDB: the indexes " + names + " of " + collection + ": " + closed.getMessage();
    }
  }

  private String said(MongoException refused) {
    try {
      return String.valueOf(documents.outage(refused).getMessage());
    } catch (InterruptedException stopping) {
      return "MongoDB: interrupted";
    }
  }

  /** Waits for the end of the build, at most for {@code patience}. */
  void await(Duration patience) throws InterruptedException {
    boolean _ = thread.join(patience);
  }

  boolean hasEnded() {
    return !thread.isAlive();
  }

  /** Why the build failed; empty when it has not. */
  Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  /** The progress in words for people, as far as MongoDB reports it. Blocks briefly. */
  String progress() {
    long seconds = (System.nanoTime() - beganNanos) / 1_000_000_000L;
    return String.format(
        Locale.ROOT,
        "MongoDB: %s of %s %s being made for %d s%s",
        names,
        collection,
        names.indexOf(',') < 0 ? "is" : "are",
        seconds,
        done());
  }

  /** The part that is done; empty when MongoDB does not report it or the user may not ask. */
  private String done() {
    BsonDocument question =
        new BsonDocument("currentOp", new BsonInt32(1))
            .append("command.createIndexes", new BsonString(collection))
            .append("command.$db", new BsonString(documents.databaseName()));
    try {
      BsonValue all = documents.runOfServer(question).get("inprog");
      for (BsonValue one : all instanceof BsonArray found ? found : new BsonArray()) {
        BsonValue progress = one.isDocument() ? one.asDocument().get("progress") : null;
        if (progress instanceof BsonDocument counts
            && counts.isNumber("done")
            && counts.isNumber("total")
            && counts.getNumber("total").longValue() > 0) {
          long total = counts.getNumber("total").longValue();
          long part = counts.getNumber("done").longValue();
          return String.format(
              Locale.ROOT, ": %.1f %% of %,d documents", 100.0 * part / total, total);
        }
      }
    } catch (MongoException cannot) {
      return "";
    }
    return "";
  }
}
