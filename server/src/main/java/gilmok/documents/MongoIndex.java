package gilmok.documents;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * An index that the code needs. Immutable.
 *
 * @param name its name in its collection
 * @param keys the fields in their order; 1 ascending, -1 descending
 * @param unique whether no two documents may have the same keys
 * @param partial the filter of the documents in the index; empty for all documents
 * @param keepSeconds how long after the date in its field a document is deleted; 0 for never
 */
public record MongoIndex(
    String name,
    Map<String, Integer> keys,
    boolean unique,
    BsonDocument partial,
    long keepSeconds) {
  /** Below all stored numbers. */
  private static final long LEAST = -1L << 62;

  public MongoIndex {
    keys = new LinkedHashMap<>(keys);
    partial = partial.clone();
  }

  /** An index over fields, all ascending; it can be read backwards as well. */
  public static MongoIndex of(String name, String... fields) {
    Map<String, Integer> keys = new LinkedHashMap<>();
    for (String field : fields) {
      keys.put(field, 1);
    }
    return new MongoIndex(name, keys, false, new BsonDocument(), 0);
  }

  /** The same index as a unique one. */
  public MongoIndex asUnique() {
    return new MongoIndex(name, keys, true, partial, keepSeconds);
  }

  /**
   * The same index, only over documents whose field is a non-empty text. (Not by {@code $exists}:
   * not every server sees that a comparison implies it.)
   */
  public MongoIndex ofTexts(String field) {
    return and(field, new BsonString(""));
  }

  /** The same index, only over documents whose field is a number. */
  public MongoIndex ofNumbers(String field) {
    return and(field, new BsonInt64(LEAST));
  }

  private MongoIndex and(String field, BsonValue above) {
    BsonDocument more = partial.clone();
    more.put(field, new BsonDocument("$gt", above));
    return new MongoIndex(name, keys, unique, more, keepSeconds);
  }

  /**
   * The same index as a TTL index: MongoDB deletes documents that long after the date in the field.
   */
  public MongoIndex keeping(long seconds) {
    return new MongoIndex(name, keys, unique, partial, seconds);
  }

  /**
   * How a collection's indexes differ from those wanted.
   *
   * @param missing the indexes that do not exist
   * @param differing a line for each index of another shape
   */
  record Lack(List<MongoIndex> missing, List<String> differing) {}

  /** Compares a collection's indexes with those wanted. Changes nothing. */
  static Lack lack(MongoCollection<?> collection, List<MongoIndex> wanted) {
    Map<String, BsonDocument> there = there(collection);
    List<MongoIndex> missing = new ArrayList<>();
    List<String> differing = new ArrayList<>();
    for (MongoIndex index : wanted) {
      BsonDocument found = there.get(index.name);
      if (found == null) {
        missing.add(index);
      } else if (!shape(index.forCommand()).equals(shape(found))) {
        differing.add(
            "MongoDB: the index %s of %s is %s and has to be %s: drop it"
                .formatted(
                    index.name,
                    collection.getNamespace().getCollectionName(),
                    shape(found),
                    shape(index.forCommand())));
      }
    }
    return new Lack(missing, differing);
  }

  /** Creates the indexes, all in one scan of the collection. Blocks until they are built. */
  static void create(MongoCollection<?> collection, List<MongoIndex> missing) {
    collection.createIndexes(
        missing.stream()
            .map(index -> new IndexModel(index.keyDocument(), index.options()))
            .toList());
  }

  /** The message for this index when it is missing. */
  String isMissing(String collection) {
    return "MongoDB: the index %s of %s is not there; \"gilmok indexes show\" gives the command"
            .formatted(name, collection)
        + " that makes it";
  }

  /** The index in the form of MongoDB's command {@code createIndexes}. */
  BsonDocument forCommand() {
    BsonDocument document =
        new BsonDocument("key", keyDocument()).append("name", new BsonString(name));
    if (unique) {
      document.append("unique", BsonBoolean.TRUE);
    }
    if (!partial.isEmpty()) {
      document.append("partialFilterExpression", partial.clone());
    }
    if (keepSeconds > 0) {
      document.append("expireAfterSeconds", new BsonInt64(keepSeconds));
    }
    return document;
  }

  private static Map<String, BsonDocument> there(MongoCollection<?> collection) {
    Map<String, BsonDocument> there = new LinkedHashMap<>();
    for (BsonDocument index : collection.listIndexes(BsonDocument.class)) {
      there.put(index.getString("name").getValue(), index);
    }
    return there;
  }

  private BsonDocument keyDocument() {
    BsonDocument document = new BsonDocument();
    keys.forEach((field, order) -> document.put(field, new BsonInt32(order)));
    return document;
  }

  private IndexOptions options() {
    IndexOptions options = new IndexOptions().name(name).unique(unique);
    if (!partial.isEmpty()) {
      options.partialFilterExpression(partial);
    }
    return keepSeconds > 0 ? options.expireAfter(keepSeconds, TimeUnit.SECONDS) : options;
  }

  /** The defining properties of an index as text, to compare and to show. */
  private static String shape(BsonDocument found) {
    Map<String, Integer> keys = new LinkedHashMap<>();
    found
        .getDocument("key")
        .forEach((field, order) -> keys.put(field, order.isNumber() ? number(order) : 0));
    boolean unique = found.getBoolean("unique", BsonBoolean.FALSE).getValue();
    long keep =
        found.containsKey("expireAfterSeconds") ? number(found.get("expireAfterSeconds")) : 0;
    Set<String> present = found.getDocument("partialFilterExpression", new BsonDocument()).keySet();
    return keys
        + (unique ? " unique" : "")
        + (keep > 0 ? " expiring after " + keep + " s" : "")
        + (present.isEmpty() ? "" : " of those with " + present);
  }

  private static int number(BsonValue value) {
    return value.asNumber().intValue();
  }
}
