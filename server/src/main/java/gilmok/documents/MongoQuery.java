package gilmok.documents;

import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/**
 * A query of a store, declared so that {@code gilmok doctor} can explain it. Immutable.
 *
 * @param name its name for operators
 * @param collection the collection it reads
 * @param filter its filter with example values
 * @param sort its order; empty for any
 * @param mayScan whether it is meant to scan the whole collection
 */
public record MongoQuery(String name, String collection, Bson filter, Bson sort, boolean mayScan) {
  /** A query that must use an index, in any order. */
  public static MongoQuery of(String name, String collection, Bson filter) {
    return new MongoQuery(name, collection, filter, new BsonDocument(), false);
  }

  /** A query that is meant to read the whole collection. */
  public static MongoQuery ofAll(String name, String collection) {
    return new MongoQuery(name, collection, new BsonDocument(), new BsonDocument(), true);
  }
}
