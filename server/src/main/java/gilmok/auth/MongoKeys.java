package gilmok.auth;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.conversions.Bson;

/**
 * Keys in MongoDB, one document each, with the fields of its JSON. One more document counts the
 * changes, so that other nodes need not read all keys to notice one. It is incremented after the
 * change, so a node that dies in between leaves a change uncounted. Keys need no index, so they can
 * be read as soon as the database answers. Thread-safe.
 */
public final class MongoKeys implements KeyStore {
  private static final String ID = "_id";

  /** The id of the counting document; no key has it. */
  private static final String COUNT_ID = "#changes";

  private static final String COUNT = "count";

  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> keys;

  /** The keys in that database. */
  public MongoKeys(MongoDocuments documents) {
    this.documents = documents;
    keys = documents.collection("keys", new BsonDocumentCodec());
  }

  /** The queries that it sends to the database. */
  public static List<MongoQuery> queries() {
    return List.of(
        MongoQuery.ofAll("keys: all", "keys"),
        MongoQuery.of("keys: changes", "keys", byId(COUNT_ID)));
  }

  @Override
  public List<Kept> all() throws IOException, InterruptedException {
    List<Kept> all = new ArrayList<>();
    for (BsonDocument found : documents.askEarly(() -> keys.find().into(new ArrayList<>()))) {
      BsonValue key = found.get(ID);
      String id = key != null && key.isString() ? key.asString().getValue() : "" + key;
      if (!id.equals(COUNT_ID)) {
        found.remove(ID);
        found.put(KeyJson.ID, new BsonString(id));
        all.add(new Kept(id, found.toJson()));
      }
    }
    return all;
  }

  @Override
  public void change(Collection<Kept> put, Collection<String> removed)
      throws IOException, InterruptedException {
    List<WriteModel<BsonDocument>> writes = new ArrayList<>();
    for (String id : removed) {
      writes.add(new DeleteOneModel<>(byId(id)));
    }
    for (Kept key : put) {
      BsonDocument document = BsonDocument.parse(key.json());
      document.remove(KeyJson.ID);
      document.put(ID, new BsonString(key.id()));
      writes.add(
          new ReplaceOneModel<>(byId(key.id()), document, new ReplaceOptions().upsert(true)));
    }
    if (writes.isEmpty()) {
      return;
    }
    documents.askEarly(() -> keys.bulkWrite(writes));
    Bson more = MongoBson.document(w -> MongoBson.document(w, "$inc", x -> x.writeInt64(COUNT, 1)));
    documents.askEarly(
        () -> keys.updateOne(byId(COUNT_ID), more, new UpdateOptions().upsert(true)));
  }

  @Override
  public long revision() throws IOException, InterruptedException {
    BsonDocument count = documents.askEarly(() -> keys.find(byId(COUNT_ID)).first());
    if (count == null) {
      return 0;
    }
    // A count that is no number cannot tell whether there was a change: answer as if there was
    // one.
    return count.isNumber(COUNT) ? count.getNumber(COUNT).longValue() : System.nanoTime();
  }

  @Override
  public boolean isShared() {
    return true;
  }

  private static Bson byId(String id) {
    return MongoBson.document(writer -> writer.writeString(ID, id));
  }
}
