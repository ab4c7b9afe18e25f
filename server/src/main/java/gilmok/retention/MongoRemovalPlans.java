package gilmok.retention;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import java.io.IOException;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A document of the collection {@code retention}, for all nodes: the lease, the plan and how far
 * was removed. Nodes' clocks must agree as for the other leases. Thread-safe; calls block.
 */
public final class MongoRemovalPlans implements RemovalPlans {
  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> retention;
  private final String kind;
  private final RawBsonDocument ours;
  private volatile boolean isThere;

  /** Those of a kind of documents; sends no query yet. */
  public MongoRemovalPlans(MongoDocuments documents, String kind) {
    this.documents = documents;
    this.kind = kind;
    ours = MongoBson.byId(kind);
    retention = documents.collection("retention", new BsonDocumentCodec());
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
              writer.writeString("_id", kind);
              writer.writeStartArray("$or");
              writer.writeStartDocument();
              writer.writeString("holder", node);
              writer.writeEndDocument();
              writer.writeStartDocument();
              MongoBson.compare(writer, "until", "$lte", nowMillis);
              writer.writeEndDocument();
              writer.writeEndArray();
            });
    Bson taken =
        MongoBson.document(
            writer ->
                MongoBson.document(
                    writer,
                    "$set",
                    to -> {
                      to.writeString("holder", node);
                      to.writeInt64("until", untilMillis);
                    }));
    return documents.ask(() -> retention.updateOne(free, taken)).getMatchedCount() == 1;
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
    documents.ask(() -> retention.updateOne(ours, free, new UpdateOptions().upsert(true)));
    isThere = true;
  }

  @Override
  public @Nullable RemovalPlan plan() throws IOException, InterruptedException {
    String text = text("plan");
    return text.isEmpty() ? null : RemovalPlan.read(text);
  }

  @Override
  public void put(RemovalPlan plan, String removedTo) throws IOException, InterruptedException {
    Bson update =
        MongoBson.document(
            writer -> {
              MongoBson.document(writer, "$set", to -> to.writeString("plan", plan.text()));
              MongoBson.document(writer, "$max", to -> to.writeString("removedTo", removedTo));
            });
    documents.ask(() -> retention.updateOne(ours, update, new UpdateOptions().upsert(true)));
  }

  @Override
  public void reach(String removedTo) throws IOException, InterruptedException {
    Bson update =
        MongoBson.document(
            writer ->
                MongoBson.document(writer, "$max", to -> to.writeString("removedTo", removedTo)));
    documents.ask(() -> retention.updateOne(ours, update, new UpdateOptions().upsert(true)));
  }

  @Override
  public void forget() throws IOException, InterruptedException {
    Bson update =
        MongoBson.document(
            writer -> MongoBson.document(writer, "$set", to -> to.writeString("plan", "")));
    documents.ask(() -> retention.updateOne(ours, update));
  }

  @Override
  public String removedTo() throws IOException, InterruptedException {
    return text("removedTo");
  }

  private String text(String name) throws IOException, InterruptedException {
    BsonDocument document = documents.ask(() -> retention.find(ours).first());
    BsonValue value = document == null ? null : document.get(name);
    return value != null && value.isString() ? value.asString().getValue() : "";
  }
}
