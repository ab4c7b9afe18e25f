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
 * The indexes that the code needs in a database: compared with those that are there, and made where
 * the settings let them. To make one reads a whole collection, which on a large one is hours of
 * work for a database that is in use; so none is made of a collection that has documents unless
 * somebody has asked for that. Not thread-safe: one thread looks.
 */
public final class MongoIndexes {
  private static final JsonWriterSettings SHELL =
      JsonWriterSettings.builder().outputMode(JsonMode.SHELL).build();

  private final MongoDocuments documents;
  private final MongoConfig.IndexMode mode;
  private final SortedMap<String, List<MongoIndex>> wanted;
  private final Map<String, MongoIndexBuild> builds = new HashMap<>();

  /**
   * Those of a database.
   *
   * @param wanted by collection
   */
  public MongoIndexes(
      MongoDocuments documents, MongoConfig.IndexMode mode, Map<String, List<MongoIndex>> wanted) {
    this.documents = documents;
    this.mode = mode;
    this.wanted = new TreeMap<>(wanted);
  }

  /**
   * Looks, and makes what may be made; what takes long is made in the background.
   *
   * @return a line for each that is lacking, or is being made; empty: all are there
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

  /** Whether some are being made, as far as was seen by the last look. */
  public boolean isMaking() {
    return !builds.isEmpty();
  }

  /** Waits until one of those that are being made is there, but no longer than that. */
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
   * What makes them all, for MongoDB's shell: one command for each collection. Indexes that are
   * there already are left as they are by it.
   *
   * @param database where
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
