package gilmok.deliveries;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.retention.MongoRemovalPlans;
import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalPlans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;

/** Takes old deliveries out of MongoDB. Thread-safe; calls block. */
public final class MongoRemoval implements DeliveryRemoval {
  private static final RawBsonDocument OLDEST_FIRST =
      MongoBson.document(writer -> writer.writeInt32("_id", 1));
  private static final BulkWriteOptions EACH_BY_ITSELF = new BulkWriteOptions().ordered(false);

  private final MongoDocuments documents;
  private final MongoCollection<RawBsonDocument> deliveries;

  /** Deliveries in a database; sends no query yet. */
  public MongoRemoval(MongoDocuments documents) {
    this.documents = documents;
    deliveries =
        documents
            .collection("deliveries", MongoOutbox.CODEC)
            .withDocumentClass(RawBsonDocument.class);
  }

  @Override
  public RemovalPlans plans() {
    return new MongoRemovalPlans(documents, DeliveryRemoval.KIND);
  }

  @Override
  public Page<StoredDelivery> page(String after, long beforeMillis, int limit)
      throws IOException, InterruptedException {
    String below = DeliveryId.floor(beforeMillis);
    Bson range =
        MongoBson.document(
            writer ->
                MongoBson.document(
                    writer,
                    "_id",
                    of -> {
                      of.writeString("$gt", after);
                      of.writeString("$lt", below);
                    }));
    return read(range, limit);
  }

  private Page<StoredDelivery> read(Bson which, int limit)
      throws IOException, InterruptedException {
    return documents.ask(
        () -> {
          List<StoredDelivery> found = new ArrayList<>();
          int unreadable = 0;
          String last = null;
          try (MongoCursor<RawBsonDocument> rows =
              deliveries.find(which).sort(OLDEST_FIRST).limit(limit).iterator()) {
            while (rows.hasNext()) {
              RawBsonDocument one = rows.next();
              last = one.getString("_id", new BsonString("")).getValue();
              try {
                found.add(stored(one.decode(MongoOutbox.CODEC)));
              } catch (RuntimeException damaged) {
                unreadable++;
              }
            }
          }
          return new Page<>(found, unreadable, last);
        });
  }

  private static StoredDelivery stored(MongoDelivery one) {
    boolean isTold =
        !one.log().isDue()
            && !one.shop().isDue()
            && (one.delivery().agencyId() == null || !one.agency().isDue());
    return new StoredDelivery(
        one.delivery(), one.revision(), isTold, progress(one.shop()), progress(one.agency()));
  }

  private static RelayProgress progress(MongoDelivery.Progress of) {
    return new RelayProgress(
        of.told(),
        of.history(),
        of.aside().stream()
            .map(
                one ->
                    new RelayProgress.DeadLetter(
                        one.sequence(), one.attempts(), one.error(), one.atMillis()))
            .toList());
  }

  @Override
  public List<StoredDelivery> find(List<String> ids) throws IOException, InterruptedException {
    return read(MongoBson.byIds(ids), ids.size()).rows();
  }

  @Override
  public int remove(List<RemovalPlan.Row> rows) throws IOException, InterruptedException {
    List<DeleteOneModel<RawBsonDocument>> all = new ArrayList<>(rows.size());
    rows.forEach(row -> all.add(new DeleteOneModel<>(asArchived(row))));
    return documents.ask(() -> deliveries.bulkWrite(all, EACH_BY_ITSELF)).getDeletedCount();
  }

  /** The filter for a delivery that has not changed since, and of which nothing is due. */
  private static RawBsonDocument asArchived(RemovalPlan.Row row) {
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", row.id());
          writer.writeInt64("revision", row.revision());
          MongoBson.exists(writer, MongoOutboxFields.field(OutboxReader.LOG, "due"), false);
          MongoBson.exists(writer, MongoOutboxFields.field(OutboxReader.SHOP, "due"), false);
          writer.writeStartArray("$or"); // without an agency there is no recipient
          writer.writeStartDocument();
          MongoBson.exists(writer, "agencyId", false);
          writer.writeEndDocument();
          writer.writeStartDocument();
          MongoBson.exists(writer, MongoOutboxFields.field(OutboxReader.AGENCY, "due"), false);
          writer.writeEndDocument();
          writer.writeEndArray();
        });
  }

  /** MongoDB gives its room to new documents by itself. */
  @Override
  public boolean shrink() {
    return false;
  }
}
