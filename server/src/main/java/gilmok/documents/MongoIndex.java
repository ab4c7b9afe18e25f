package gilmok.documents;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/**
 * An index as the code needs it.
 *
 * @param name its name in its collection
 * @param keys fields in their order; 1 ascending, -1 descending
 * @param unique whether no two documents may have the same
 * @param present only documents that have all of these fields are in it; none: all documents
 */
public record MongoIndex(
    String name,
    Map<String, Integer> keys,
    boolean unique,
    List<String> present,
    long keepSeconds) {
  public MongoIndex {
    keys = new LinkedHashMap<>(keys);
    present = List.copyOf(present);
  }

  /** An index over fields, all ascending: it is read backwards as well. */
  public static MongoIndex of(String name, String... fields) {
    Map<String, Integer> keys = new LinkedHashMap<>();
    for (String field : fields) {
      keys.put(field, 1);
    }
    return new MongoIndex(name, keys, false, List.of(), 0);
  }

  /** The same, unique. */
  public MongoIndex asUnique() {
    return new MongoIndex(name, keys, true, present, keepSeconds);
  }

  /** The same, of documents alone that have these fields. */
  public MongoIndex ofThoseWith(String... fields) {
    return new MongoIndex(name, keys, unique, List.of(fields), keepSeconds);
  }

  /**
   * The same, by which MongoDB deletes documents that much later than their field, a date, says.
   */
  public MongoIndex keeping(long seconds) {
    return new MongoIndex(name, keys, unique, present, seconds);
  }

  /**
   * Makes the indexes that are not there.
   *
   * @throws IOException when one of the same name has another shape: then nothing is touched
   */
  static void ensure(MongoCollection<?> collection, List<MongoIndex> wanted) throws IOException {
    Map<String, BsonDocument> there = new LinkedHashMap<>();
    for (BsonDocument index : collection.listIndexes(BsonDocument.class)) {
      there.put(index.getString("name").getValue(), index);
    }
    for (MongoIndex index : wanted) {
      BsonDocument found = there.get(index.name);
      if (found != null && !index.shape().equals(shape(found))) {
        String where = collection.getNamespace().getCollectionName();
        throw new MongoOutage(
            "MongoDB: the index %s of %s is %s and has to be %s: drop it and start again"
                .formatted(index.name, where, shape(found), index.shape()));
      }
    }
    for (MongoIndex index : wanted) {
      if (!there.containsKey(index.name)) {
        collection.createIndex(index.keyDocument(), index.options());
      }
    }
  }

  private BsonDocument keyDocument() {
    BsonDocument document = new BsonDocument();
    keys.forEach((field, order) -> document.put(field, new BsonInt32(order)));
    return document;
  }

  private IndexOptions options() {
    IndexOptions options = new IndexOptions().name(name).unique(unique);
    if (!present.isEmpty()) {
      options.partialFilterExpression(partial());
    }
    return keepSeconds > 0 ? options.expireAfter(keepSeconds, TimeUnit.SECONDS) : options;
  }

  private BsonDocument partial() {
    BsonDocument all = new BsonDocument();
    present.forEach(field -> all.put(field, new BsonDocument("$exists", BsonBoolean.TRUE)));
    return all;
  }

  /** What makes it what it is, as text that can be compared and shown. */
  private String shape() {
    return shape(keys, unique, keepSeconds, present);
  }

  private static String shape(BsonDocument found) {
    Map<String, Integer> keys = new LinkedHashMap<>();
    found
        .getDocument("key")
        .forEach((field, order) -> keys.put(field, order.isNumber() ? number(order) : 0));
    boolean unique = found.getBoolean("unique", BsonBoolean.FALSE).getValue();
    long keep =
        found.containsKey("expireAfterSeconds") ? number(found.get("expireAfterSeconds")) : 0;
    BsonDocument partial = found.getDocument("partialFilterExpression", new BsonDocument());
    return shape(keys, unique, keep, List.copyOf(partial.keySet()));
  }

  private static int number(BsonValue value) {
    return value.asNumber().intValue();
  }

  private static String shape(
      Map<String, Integer> keys, boolean unique, long keepSeconds, List<String> present) {
    return keys
        + (unique ? " unique" : "")
        + (keepSeconds > 0 ? " expiring after " + keepSeconds + " s" : "")
        + (present.isEmpty() ? "" : " of those with " + present);
  }
}
