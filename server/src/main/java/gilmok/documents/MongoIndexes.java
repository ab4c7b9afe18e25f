package gilmok.documents;

import com.mongodb.client.MongoCollection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * Checks the indexes that the code needs, and creates missing ones where the settings allow it. A
 * build scans the whole collection, which on a large one in use means hours of load. So none is
 * built in a collection that has documents, unless the operator has asked for it. Not thread-safe:
 * used by one thread.
 */
public final class MongoIndexes {
  private static final JsonWriterSettings SHELL =
      JsonWriterSettings.builder().outputMode(JsonMode.SHELL).build();

  private final MongoDocuments documents;
  private final MongoConfig.IndexMode mode;
  private final SortedMap<String, List<MongoIndex>> wanted;
  private final Map<String, MongoIndexBuild> builds = new HashMap<>();

  /**
   * The indexes of a database.
   *
   * @param wanted the indexes needed, by collection
   */
  public MongoIndexes(
      MongoDocuments documents, MongoConfig.IndexMode mode, Map<String, List<MongoIndex>> wanted) {
    this.documents = documents;
    this.mode = mode;
    this.wanted = new TreeMap<>(wanted);
  }

  /**
   * Compares the indexes, and creates those that may be created; long builds run in the background.
   *
   * @return a line for each index that is missing or being built; empty when all are there
   */
  public List<String> look() throws IOException, InterruptedException {
    if (mode == MongoConfig.IndexMode.OFF) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, List<MongoIndex>> one : wanted.entrySet()) {
      lines.addAll(look(one.getKey(), one.getValue()));
    }
    return lines;
  }

  /** Whether builds were running at the last {@link #look}. */
  public boolean isMaking() {
    return !builds.isEmpty();
  }

  /** Waits until one of the running builds ends, at most for {@code patience}. */
  public void awaitMaking(Duration patience) throws InterruptedException {
    for (MongoIndexBuild build : builds.values()) {
      build.await(patience);
      return;
    }
  }

  private List<String> look(String name, List<MongoIndex> indexes)
      throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    MongoIndexBuild build = builds.get(name);
    if (build != null) {
      if (!build.hasEnded()) {
        return List.of(build.progress());
      }
      builds.remove(name);
      build.fault().ifPresent(lines::add);
    }
    MongoCollection<BsonDocument> collection = documents.raw(name);
    MongoIndex.Lack lack = documents.askEarly(() -> MongoIndex.lack(collection, indexes));
    List<MongoIndex> missing = lack.missing();
    lines.addAll(lack.differing());
    if (missing.isEmpty()) {
      return lack.differing();
    }
    if (lines.isEmpty() && mode != MongoConfig.IndexMode.CHECK) {
      if (documents.askEarly(() -> collection.find().first() == null)) {
        documents.askEarly(
            () -> {
              MongoIndex.create(collection, missing);
              return true;
            });
        return List.of();
      }
      if (mode == MongoConfig.IndexMode.CREATE) {
        MongoIndexBuild begun = new MongoIndexBuild(documents, name, missing);
        builds.put(name, begun);
        return List.of(begun.progress());
      }
    }
    missing.forEach(index -> lines.add(index.isMissing(name)));
    return lines;
  }

  /**
   * The commands for MongoDB's shell that create all indexes, one for each collection. They leave
   * existing indexes as they are.
   *
   * @param database the database's name
   */
  public static List<String> commands(String database, Map<String, List<MongoIndex>> wanted) {
    List<String> lines = new ArrayList<>();
    lines.add("db = db.getSiblingDB(\"" + database + "\");");
    new TreeMap<>(wanted)
        .forEach(
            (collection, indexes) -> {
              BsonDocument command =
                  new BsonDocument("createIndexes", new BsonString(collection))
                      .append(
                          "indexes",
                          new BsonArray(indexes.stream().map(MongoIndex::forCommand).toList()));
              lines.add("db.runCommand(" + command.toJson(SHELL) + ");");
            });
    return lines;
  }
}
