package gilmok.audit;

import static gilmok.documents.MongoBson.document;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The audit of all nodes in MongoDB, which deletes what has expired. Thread-safe; calls block. */
public final class MongoAudit implements AuditStore {
  /** The name of the collection. */
  public static final String COLLECTION = "audit";

  /** The indexes that the queries need. */
  public static final List<MongoIndex> INDEXES =
      List.of(
          MongoIndex.of("of_key", "key", "_id"), MongoIndex.of("expiry", "expiresAt").keeping(1));

  private static final ReplaceOptions REPLACE_OR_ADD = new ReplaceOptions().upsert(true);
  private static final UpdateOptions ADD = new UpdateOptions().upsert(true);
  private static final BulkWriteOptions IN_ORDER = new BulkWriteOptions().ordered(true);
  private static final RawBsonDocument NEWEST_FIRST =
      document(writer -> writer.writeInt32("_id", -1));

  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> entries;

  /** The audit in a database that has the {@link #INDEXES}; sends no query yet. */
  public MongoAudit(MongoDocuments documents) {
    this.documents = documents;
    entries = documents.collection(COLLECTION, new BsonDocumentCodec());
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    BsonDocument order = new BsonDocument("_id", new org.bson.BsonInt32(-1));
    return List.of(
        new MongoQuery("audit: a page", COLLECTION, filter("0", "1", null, 0), order, false),
        new MongoQuery(
            "audit: a page of a key", COLLECTION, filter("0", "1", "key", 0), order, false));
  }

  @Override
  public void put(List<Row> rows, long nowMillis) throws IOException, InterruptedException {
    List<WriteModel<BsonDocument>> all = new ArrayList<>();
    for (Row row : rows) {
      RawBsonDocument id = MongoBson.byId(row.id());
      all.add(
          row.isLast()
              ? new ReplaceOneModel<>(id, written(row), REPLACE_OR_ADD)
              : new UpdateOneModel<>(id, new BsonDocument("$setOnInsert", written(row)), ADD));
    }
    documents.ask(() -> entries.bulkWrite(all, IN_ORDER));
  }

  @Override
  public List<Row> page(Question question, long nowMillis)
      throws IOException, InterruptedException {
    Bson filter = filter(question.fromId(), question.belowId(), question.key(), nowMillis);
    return documents.ask(
        () ->
            entries
                .find(filter)
                .sort(NEWEST_FIRST)
                .limit(question.limit())
                .map(MongoAudit::read)
                .into(new ArrayList<>()));
  }

  private static RawBsonDocument filter(
      String fromId, String belowId, @Nullable String key, long nowMillis) {
    return document(
        writer -> {
          MongoBson.text(writer, "key", key);
          document(
              writer,
              "_id",
              id -> {
                id.writeString("$gte", fromId);
                id.writeString("$lt", belowId);
              });
          document(writer, "expiresAt", end -> end.writeDateTime("$gt", nowMillis));
        });
  }

  /** A row without its id, which the filter of an upsert has. */
  private static BsonDocument written(Row row) {
    return new BsonDocument("key", new BsonString(row.key()))
        .append("json", new BsonString(row.json()))
        .append("expiresAt", new BsonDateTime(row.expiresAtMillis()));
  }

  private static Row read(BsonDocument document) {
    return new Row(
        document.getString("_id").getValue(),
        document.getString("key").getValue(),
        document.getString("json").getValue(),
        document.getDateTime("expiresAt").getValue(),
        false);
  }
}
