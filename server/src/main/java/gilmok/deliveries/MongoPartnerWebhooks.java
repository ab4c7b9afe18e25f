package gilmok.deliveries;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CountOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Partners' webhooks in MongoDB (fields of the deliveries: {@link MongoOutboxFields}). Thread-safe;
 * calls block.
 */
record MongoPartnerWebhooks(
    MongoDocuments documents, MongoCollection<MongoDelivery> deliveries, InstantSource clock)
    implements PartnerWebhooks {
  @Override
  public WebhookState.Page page(
      Partner partner, WebhookState.@Nullable State state, @Nullable String before, int limit)
      throws IOException, InterruptedException {
    OutboxReader reader = partner.reader();
    Bson filter =
        MongoBson.document(
            writer -> {
              writer.writeString(MongoOutboxFields.partner(reader), partner.id());
              if (before != null) {
                MongoBson.document(writer, "_id", below -> below.writeString("$lt", before));
              }
              switch (state) {
                case null -> {}
                case WAITING ->
                    MongoBson.exists(writer, MongoOutboxFields.field(reader, "due"), true);
                case SET_ASIDE ->
                    MongoBson.exists(writer, MongoOutboxFields.field(reader, "aside.0"), true);
                case TOLD ->
                    MongoBson.exists(writer, MongoOutboxFields.field(reader, "history"), true);
              }
            });
    Bson newest = MongoBson.document(writer -> writer.writeInt32("_id", -1));
    MongoCollection<MongoDelivery> relaxed = documents.relaxed(deliveries);
    MongoCollection<RawBsonDocument> raw = relaxed.withDocumentClass(RawBsonDocument.class);
    List<RawBsonDocument> found =
        documents.ask(
            () -> raw.find(filter).sort(newest).limit(limit).into(new ArrayList<>(limit)));
    return MongoWebhookStates.page(found, partner, state, limit);
  }

  @Override
  public int waiting(OutboxReader reader, String partnerId, int max)
      throws IOException, InterruptedException {
    Bson all = pending(reader, partnerId, -Long.MAX_VALUE, Long.MAX_VALUE);
    CountOptions most = new CountOptions().limit(max);
    return (int) (long) documents.ask(() -> deliveries.countDocuments(all, most));
  }

  @Override
  public void redelivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt)
      throws IOException, InterruptedException {
    Bson update =
        MongoBson.document(
            writer -> {
              if (attempt.isSuccess()) {
                MongoBson.document(
                    writer,
                    "$pull",
                    from ->
                        MongoBson.document(
                            from,
                            MongoOutboxFields.field(reader, "aside"),
                            which -> which.writeInt32("sequence", attempt.sequence())));
              }
              MongoOutboxFields.push(writer, reader, attempt);
            });
    documents.ask(() -> deliveries.updateOne(MongoBson.byId(deliveryId), update));
  }

  @Override
  public long retryNow(OutboxReader reader, String partnerId, long nowMillis)
      throws IOException, InterruptedException {
    Bson waits = pending(reader, partnerId, -Long.MAX_VALUE, -nowMillis - 1);
    return documents
        .ask(() -> deliveries.updateMany(waits, MongoOutboxFields.dueAt(reader, nowMillis)))
        .getMatchedCount();
  }

  @Override
  public long replay(OutboxReader reader, String partnerId, long fromMillis)
      throws IOException, InterruptedException {
    Bson filter =
        MongoBson.document(
            writer -> {
              writer.writeString(MongoOutboxFields.partner(reader), partnerId);
              String floor = DeliveryId.floor(fromMillis);
              MongoBson.document(writer, "_id", above -> above.writeString("$gte", floor));
            });
    Bson update =
        MongoBson.document(
            writer -> {
              writer.writeStartDocument("$set");
              writer.writeInt32(MongoOutboxFields.field(reader, "told"), 0);
              writer.writeInt64(MongoOutboxFields.field(reader, "due"), clock.millis());
              writer.writeEndDocument();
              writer.writeStartDocument("$unset");
              MongoOutboxFields.forgetFailures(writer, reader);
              writer.writeString(MongoOutboxFields.field(reader, "aside"), "");
              writer.writeEndDocument();
            });
    return documents.ask(() -> deliveries.updateMany(filter, update)).getMatchedCount();
  }

  /** The filter for a partner's deliveries in a range of {@code due}. */
  static RawBsonDocument pending(OutboxReader reader, String partnerId, long least, long most) {
    return MongoOutboxFields.dueFilter(reader, Shards.ALL, partnerId, least, most);
  }
}
