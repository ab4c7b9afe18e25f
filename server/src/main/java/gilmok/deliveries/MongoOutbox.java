package gilmok.deliveries;

import static gilmok.documents.MongoBson.compare;
import static gilmok.documents.MongoBson.text;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.UpdateOneModel;
import gilmok.deliveries.MongoDelivery.Aside;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoOutage;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The outbox in MongoDB, as fields of the deliveries' own documents. {@code out.shop.due} exists
 * only while an event is due for the shop, and only then is the document in the index of due ones.
 * While a retry waits, the value is below all others ({@link MongoDelivery#waitingUntil}).
 * Thread-safe; calls block.
 */
class MongoOutbox implements Outbox {
  /** How often a step is tried again when concurrent changes got in the way. */
  static final int TRIES = 16;

  static final MongoDeliveryCodec CODEC = new MongoDeliveryCodec();
  private static final BulkWriteOptions EACH_BY_ITSELF = new BulkWriteOptions().ordered(false);

  final MongoDocuments documents;
  final MongoCollection<MongoDelivery> deliveries;
  final InstantSource clock;
  final UnreadableDeliveries unreadable;
  private final MongoPartnerWebhooks webhooks;

  /** The outbox of these deliveries. */
  MongoOutbox(
      MongoDocuments documents,
      MongoCollection<MongoDelivery> deliveries,
      InstantSource clock,
      UnreadableDeliveries unreadable) {
    this.unreadable = unreadable;
    this.documents = documents;
    this.deliveries = deliveries;
    this.clock = clock;
    webhooks = new MongoPartnerWebhooks(documents, deliveries, clock);
  }

  @Override
  public PartnerWebhooks webhooks() {
    return webhooks;
  }

  @Override
  public List<Due> due(OutboxReader reader, Shards shards, long nowMillis, int limit)
      throws IOException, InterruptedException {
    List<MongoDelivery> found = due(reader, shards, -nowMillis, nowMillis, 1, limit);
    if (found.size() == limit) {
      // The query had retries first, and of these the latest first. Two queries give each kind its
      // order.
      found = due(reader, shards, -nowMillis, -1, -1, limit);
      found.addAll(due(reader, shards, 1, nowMillis, 1, limit));
    }
    found.sort(Comparator.comparingLong(one -> one.of(reader).dueMillis()));
    List<Due> all = new ArrayList<>(Math.min(limit, found.size()));
    for (MongoDelivery one : found.subList(0, Math.min(limit, found.size()))) {
      MongoDelivery.Progress its = one.of(reader);
      all.add(new Due(one.delivery(), reader, its.told(), its.attempts(), its.sinceMillis()));
    }
    return all;
  }

  private List<MongoDelivery> due(
      OutboxReader reader, Shards shards, long least, long most, int direction, int limit)
      throws IOException, InterruptedException {
    Bson filter = MongoOutboxFields.dueFilter(reader, shards, least, most);
    Bson order =
        MongoBson.document(
            writer -> writer.writeInt32(MongoOutboxFields.field(reader, "due"), direction));
    try {
      return documents.ask(
          () -> deliveries.find(filter).sort(order).limit(limit).into(new ArrayList<>()));
    } catch (RuntimeException oneIsDamaged) {
      return readable(reader, filter, order, limit);
    }
  }

  /** Reads deliveries one by one; unreadable ones are put off. */
  private List<MongoDelivery> readable(OutboxReader reader, Bson filter, Bson order, int limit)
      throws IOException, InterruptedException {
    MongoCollection<RawBsonDocument> raw = deliveries.withDocumentClass(RawBsonDocument.class);
    List<RawBsonDocument> found =
        documents.ask(() -> raw.find(filter).sort(order).limit(limit).into(new ArrayList<>()));
    List<MongoDelivery> all = new ArrayList<>();
    for (RawBsonDocument one : found) {
      try {
        all.add(one.decode(CODEC));
      } catch (RuntimeException damaged) {
        String id = String.valueOf(one.getString("_id").getValue());
        long again = unreadable.found(reader, id, damaged);
        failed(id, reader, 1, again, UnreadableDeliveries.error(damaged), null);
      }
    }
    return all;
  }

  @Override
  public void bringForward(OutboxReader reader, Shards shards, long nowMillis, long longestMillis)
      throws IOException, InterruptedException {
    Bson now = MongoOutboxFields.dueAt(reader, nowMillis);
    Bson fresh =
        MongoOutboxFields.dueFilter(reader, shards, nowMillis + CLOCK_MILLIS + 1, Long.MAX_VALUE);
    long latest = MongoDelivery.waitingUntil(nowMillis + longestMillis);
    Bson putOff = MongoOutboxFields.dueFilter(reader, shards, -Long.MAX_VALUE, latest - 1);
    documents.ask(() -> deliveries.updateMany(fresh, now));
    documents.ask(() -> deliveries.updateMany(putOff, now));
  }

  /**
   * Tries first to note that nothing is due any more, which holds for most. What that does not
   * match has further events, or was noted before, or is unknown.
   */
  @Override
  public void told(List<Told> all) throws IOException, InterruptedException {
    if (!all.isEmpty()) {
      told(all, null);
    }
  }

  @Override
  public void delivered(String deliveryId, OutboxReader reader, WebhookAttempt attempt)
      throws IOException, InterruptedException {
    told(List.of(new Told(deliveryId, reader, attempt.sequence())), attempt);
  }

  /** Notes what readers have been sent, and the attempt that one of them was sent it in. */
  private void told(List<Told> all, @Nullable WebhookAttempt attempt)
      throws IOException, InterruptedException {
    long wholly = settle(all, false, attempt);
    long partly = wholly == all.size() ? 0 : settle(all, true, attempt);
    if (wholly + partly < all.size()) {
      List<Told> cut = beyond(all);
      if (!cut.isEmpty()) {
        settle(cut, false, attempt);
      }
    }
  }

  /**
   * Notes deliveries whose events were all sent; with {@code more}, those that have further events.
   * Returns how many matched.
   */
  private long settle(List<Told> all, boolean more, @Nullable WebhookAttempt attempt)
      throws IOException, InterruptedException {
    long nowMillis = clock.millis();
    List<UpdateOneModel<MongoDelivery>> updates = new ArrayList<>(all.size());
    for (Told one : all) {
      updates.add(
          new UpdateOneModel<>(
              deliveredFilter(one, more), deliveredUpdate(one, more, nowMillis, attempt)));
    }
    return documents.ask(() -> deliveries.bulkWrite(updates, EACH_BY_ITSELF)).getMatchedCount();
  }

  /** The entries that claim more events than there are, by mistake, cut to those that exist. */
  private List<Told> beyond(List<Told> all) throws IOException, InterruptedException {
    Bson filter =
        MongoBson.document(
            writer -> {
              writer.writeStartArray("$or");
              for (Told one : all) {
                writer.writeStartDocument();
                writer.writeString("_id", one.deliveryId());
                compare(writer, "version", "$lt", one.through());
                writer.writeEndDocument();
              }
              writer.writeEndArray();
            });
    Map<String, Integer> versions = new HashMap<>();
    documents
        .ask(() -> deliveries.find(filter).into(new ArrayList<>()))
        .forEach(one -> versions.put(one.delivery().id(), one.delivery().version()));
    List<Told> cut = new ArrayList<>();
    for (Told one : all) {
      Integer version = versions.get(one.deliveryId());
      if (version != null && version < one.through()) {
        cut.add(new Told(one.deliveryId(), one.reader(), version));
      }
    }
    return cut;
  }

  /**
   * The filter for the delivery if the event is its last (with {@code more}: is not its last) and
   * was not noted before.
   */
  private static RawBsonDocument deliveredFilter(Told one, boolean more) {
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", one.deliveryId());
          compare(writer, "version", more ? "$gt" : "$eq", one.through());
          compare(writer, MongoOutboxFields.field(one.reader(), "told"), "$lt", one.through());
        });
  }

  private static RawBsonDocument deliveredUpdate(
      Told one, boolean more, long nowMillis, @Nullable WebhookAttempt attempt) {
    OutboxReader reader = one.reader();
    return MongoBson.document(
        writer -> {
          writer.writeStartDocument("$set");
          writer.writeInt32(MongoOutboxFields.field(reader, "told"), one.through());
          if (more) {
            writer.writeInt64(MongoOutboxFields.field(reader, "due"), nowMillis);
          }
          writer.writeEndDocument();
          goOn(writer, reader, more);
          MongoOutboxFields.push(writer, reader, attempt);
        });
  }

  /**
   * Clears the failures of the event that was sent or given up, and {@code due} if no event
   * follows.
   */
  private static void goOn(BsonWriter writer, OutboxReader reader, boolean more) {
    writer.writeStartDocument("$unset");
    MongoOutboxFields.forgetFailures(writer, reader);
    text(writer, MongoOutboxFields.field(reader, "due"), more ? null : "");
    writer.writeEndDocument();
  }

  @Override
  public void failed(
      String deliveryId,
      OutboxReader reader,
      int attempts,
      long dueAtMillis,
      String error,
      @Nullable WebhookAttempt attempt)
      throws IOException, InterruptedException {
    Bson filter =
        MongoBson.document(
            writer -> {
              writer.writeString("_id", deliveryId);
              MongoBson.exists(writer, MongoOutboxFields.field(reader, "due"), true);
            });
    long nowMillis = clock.millis();
    Bson update =
        MongoBson.document(
            writer -> {
              writer.writeStartDocument("$set");
              writer.writeInt64(
                  MongoOutboxFields.field(reader, "due"), MongoDelivery.waitingUntil(dueAtMillis));
              writer.writeInt32(MongoOutboxFields.field(reader, "attempts"), attempts);
              writer.writeString(MongoOutboxFields.field(reader, "error"), error);
              writer.writeEndDocument();
              MongoBson.document( // keeps the first failure's time
                  writer,
                  "$min",
                  to -> to.writeInt64(MongoOutboxFields.field(reader, "since"), nowMillis));
              MongoOutboxFields.push(writer, reader, attempt);
            });
    documents.ask(() -> deliveries.updateOne(filter, update));
  }

  @Override
  public void retryNow(OutboxReader reader, List<String> deliveryIds, long nowMillis)
      throws IOException, InterruptedException {
    Bson filter =
        MongoBson.document(
            writer -> {
              MongoBson.in(writer, "_id", deliveryIds);
              compare(writer, MongoOutboxFields.field(reader, "due"), "$lt", -nowMillis);
            });
    documents.ask(() -> deliveries.updateMany(filter, MongoOutboxFields.dueAt(reader, nowMillis)));
  }

  @Override
  public void setAside(
      String deliveryId,
      OutboxReader reader,
      int sequence,
      String error,
      @Nullable WebhookAttempt attempt)
      throws IOException, InterruptedException {
    Bson byId = MongoBson.byId(deliveryId);
    for (int i = 0; i < TRIES; i++) {
      MongoDelivery read = documents.ask(() -> deliveries.find(byId).first());
      if (read == null || read.of(reader).told() >= sequence) {
        return;
      }
      Bson filter = asItWas(read, reader);
      Bson update = aside(read, reader, sequence, error, clock.millis(), attempt);
      if (documents.ask(() -> deliveries.updateOne(filter, update)).getMatchedCount() == 1) {
        return;
      }
    }
    throw MongoOutage.CONTENDED;
  }

  private static RawBsonDocument asItWas(MongoDelivery read, OutboxReader reader) {
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", read.delivery().id());
          writer.writeInt32("version", read.delivery().version());
          writer.writeInt32(MongoOutboxFields.field(reader, "told"), read.of(reader).told());
        });
  }

  private static RawBsonDocument aside(
      MongoDelivery read,
      OutboxReader reader,
      int sequence,
      String error,
      long nowMillis,
      @Nullable WebhookAttempt attempt) {
    MongoDelivery.Progress before = read.of(reader);
    List<Aside> aside = new ArrayList<>(before.aside());
    aside.removeIf(one -> one.sequence() == sequence);
    int attempts = before.attempts() + (attempt == null ? 0 : 1);
    aside.add(new Aside(sequence, attempts, error, nowMillis));
    boolean more = read.delivery().version() > sequence;
    return MongoBson.document(
        writer -> {
          writer.writeStartDocument("$set");
          writer.writeInt32(MongoOutboxFields.field(reader, "told"), sequence);
          MongoDeliveryCodec.aside(writer, MongoOutboxFields.field(reader, "aside"), aside);
          if (more) {
            writer.writeInt64(MongoOutboxFields.field(reader, "due"), nowMillis);
          }
          writer.writeEndDocument();
          goOn(writer, reader, more);
          MongoOutboxFields.push(writer, reader, attempt);
        });
  }
}
