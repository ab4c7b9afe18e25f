package gilmok.documents;

import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/**
 * A question to MongoDB as a store asks it, declared so that {@code gilmok doctor} can have it
 * explained. Immutable.
 *
 * @param name what it is called to an operator
 * @param collection which it asks
 * @param filter an example of what it looks for
 * @param sort in which order; empty: in any
 * @param mayScan whether it is meant to read the whole collection
 */
public record MongoQuery(String name, String collection, Bson filter, Bson sort, boolean mayScan) {
  /** One that has to find what it needs by an index, in any order. */
  public static MongoQuery of(String name, String collection, Bson filter) {
    return new MongoQuery(name, collection, filter, new BsonDocument(), false);
  }

  /** One that is meant to read everything that a collection has. */
  public static MongoQuery ofAll(String name, String collection) {
    return new MongoQuery(name, collection, new BsonDocument(), new BsonDocument(), true);
  }
}
