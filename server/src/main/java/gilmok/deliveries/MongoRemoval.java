package gilmok.deliveries;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Takes old deliveries out of MongoDB, of all nodes by one: a document of the collection {@code
 * retention} has the lease, the plan and how far was removed. Nodes' clocks must agree as for the
 * other leases. Thread-safe; calls block.
 */
public final class MongoRemoval implements DeliveryRemoval {
  private static final RawBsonDocument OURS = MongoBson.byId("deliveries");
  private static final RawBsonDocument OLDEST_FIRST =
      MongoBson.document(writer -> writer.writeInt32("_id", 1));
  private static final BulkWriteOptions EACH_BY_ITSELF = new BulkWriteOptions().ordered(false);

  private final MongoDocuments documents;
  private final MongoCollection<RawBsonDocument> deliveries;
  private final MongoCollection<BsonDocument> retention;
  private volatile boolean isThere;

  /** Deliveries in a database; sends no query yet. */
  public MongoRemoval(MongoDocuments documents) {
    this.documents = documents;
    deliveries =
        documents
            .collection("deliveries", MongoOutbox.CODEC)
            .withDocumentClass(RawBsonDocument.class);
    retention = documents.collection("retention", new BsonDocumentCodec());
  }

  /** How far deliveries were removed; empty when none was. */
  static String removedTo(MongoDocuments documents) throws IOException, InterruptedException {
    MongoCollection<BsonDocument> all = documents.collection("retention", new BsonDocumentCodec());
    return text(documents.ask(() -> all.find(OURS).first()), "removedTo");
  }

  private static String text(@Nullable BsonDocument document, String name) {
    BsonValue value = document == null ? null : document.get(name);
    return value != null && value.isString() ? value.asString().getValue() : "";
  }

  @Override
  public boolean lead(String node, long nowMillis, long untilMillis)
      throws IOException, InterruptedException {
    if (!isThere) {
      add();
    }
    Bson free =
        MongoBson.document(
            writer -> {
              writer.writeString("_id", "deliveries");
              writer.writeStartArray("$or");
              writer.writeStartDocument();
              writer.writeString("holder", node);
              writer.writeEndDocument();
              writer.writeStartDocument();
              MongoBson.compare(writer, "until", "$lte", nowMillis);
              writer.writeEndDocument();
              writer.writeEndArray();
            });
    Bson ours =
        MongoBson.document(
            writer ->
                MongoBson.document(
                    writer,
                    "$set",
                    to -> {
                      to.writeString("holder", node);
                      to.writeInt64("until", untilMillis);
                    }));
    return documents.ask(() -> retention.updateOne(free, ours)).getMatchedCount() == 1;
  }

  private void add() throws IOException, InterruptedException {
    Bson free =
        MongoBson.document(
            writer ->
                MongoBson.document(
                    writer,
                    "$setOnInsert",
                    to -> {
                      to.writeString("holder", "");
                      to.writeInt64("until", 0);
                      to.writeString("removedTo", "");
                      to.writeString("plan", "");
                    }));
    documents.ask(() -> retention.updateOne(OURS, free, new UpdateOptions().upsert(true)));
    isThere = true;
  }

  @Override
  public @Nullable RemovalPlan plan() throws IOException, InterruptedException {
    String text = text(documents.ask(() -> retention.find(OURS).first()), "plan");
    return text.isEmpty() ? null : RemovalPlan.read(text);
  }

  @Override
  public void put(RemovalPlan plan) throws IOException, InterruptedException {
    String before = removedTo(documents);
    String last = plan.isArchived() ? plan.last() : "";
    set(
        to -> {
          to.writeString("plan", plan.text());
          to.writeString("removedTo", before.compareTo(last) < 0 ? last : before);
        });
  }

  @Override
  public void forget() throws IOException, InterruptedException {
    set(to -> to.writeString("plan", ""));
  }

  private void set(Consumer<BsonWriter> fields) throws IOException, InterruptedException {
    Bson update = MongoBson.document(writer -> MongoBson.document(writer, "$set", fields));
    documents.ask(() -> retention.updateOne(OURS, update, new UpdateOptions().upsert(true)));
  }

  @Override
  public Page page(String after, String below, int limit) throws IOException, InterruptedException {
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

  private Page read(Bson which, int limit) throws IOException, InterruptedException {
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
          return new Page(found, unreadable, last);
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
