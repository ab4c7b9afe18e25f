package gilmok.audit;

import com.mongodb.client.MongoCollection;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoQuery;
import gilmok.event.RiderAlias;
import gilmok.event.RiderErasure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Puts a rider's pseudonym into the entries in MongoDB that name the rider. All entries are looked
 * at, by id; several nodes may do it at once. Thread-safe; calls block.
 */
public final class MongoAuditErasure {
  private static final int PAGE_ENTRIES = 500;
  private static final RawBsonDocument BY_ID =
      MongoBson.document(order -> order.writeInt32("_id", 1));

  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> entries;

  /** The audit in a database; sends no query yet. */
  public MongoAuditErasure(MongoDocuments documents) {
    this.documents = documents;
    entries = documents.collection(MongoAudit.COLLECTION, new BsonDocumentCodec());
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    return List.of(
        new MongoQuery(
            "erasure: all entries of the audit",
            MongoAudit.COLLECTION,
            MongoBson.after("x"),
            BY_ID,
            false));
  }

  /** Renames; returns how many entries have changed. */
  public long rename(RiderAlias alias) throws IOException, InterruptedException {
    RiderErasure erasure = new RiderErasure(alias);
    long renamed = 0;
    List<BsonDocument> page = page("");
    while (!page.isEmpty()) {
      for (BsonDocument one : page) {
        renamed += rename(erasure, one);
      }
      page = page(page.getLast().getString("_id").getValue());
    }
    return renamed;
  }

  private List<BsonDocument> page(String after) throws IOException, InterruptedException {
    return documents.ask(
        () ->
            entries
                .find(MongoBson.after(after))
                .sort(BY_ID)
                .limit(PAGE_ENTRIES)
                .into(new ArrayList<>()));
  }

  private long rename(RiderErasure erasure, BsonDocument entry)
      throws IOException, InterruptedException {
    String json = entry.getString("json").getValue();
    String then = erasure.renamed(json);
    if (then.equals(json)) {
      return 0;
    }
    RawBsonDocument asRead =
        MongoBson.document(
            writer -> {
              writer.writeString("_id", entry.getString("_id").getValue());
              writer.writeString("json", json);
            });
    RawBsonDocument update =
        MongoBson.document(
            writer -> MongoBson.document(writer, "$set", set -> set.writeString("json", then)));
    return documents.ask(() -> entries.updateOne(asRead, update)).getModifiedCount();
  }
}
