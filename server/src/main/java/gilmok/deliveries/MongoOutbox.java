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
  }

  @Override
  public List<Due> due(Reader reader, Shards shards, long nowMillis, int limit)
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
      MongoDelivery.Telling telling = one.of(reader);
      all.add(
          new Due(
              one.delivery(), reader, telling.told(), telling.attempts(), telling.sinceMillis()));
    }
    return all;
  }

  private List<MongoDelivery> due(
      Reader reader, Shards shards, long least, long most, int direction, int limit)
      throws IOException, InterruptedException {
    Bson filter = dueFilter(reader, shards, least, most);
    Bson order = MongoBson.document(writer -> writer.writeInt32(field(reader, "due"), direction));
    try {
      return documents.ask(
          () -> deliveries.find(filter).sort(order).limit(limit).into(new ArrayList<>()));
    } catch (RuntimeException oneIsDamaged) {
      return readable(reader, filter, order, limit);
    }
  }

  /** Reads deliveries one by one; unreadable ones are put off. */
  private List<MongoDelivery> readable(Reader reader, Bson filter, Bson order, int limit)
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
        failed(id, reader, 1, again, UnreadableDeliveries.error(damaged));
      }
    }
    return all;
  }

  /** The filter for a range of {@code due}: {@code least} to {@code most}, in these shards. */
  static RawBsonDocument dueFilter(Reader reader, Shards shards, long least, long most) {
    return MongoBson.document(
        writer -> {
          writer.writeStartDocument("shard");
          writer.writeStartArray("$in");
          shards.forEach(writer::writeInt32);
          writer.writeEndArray();
          writer.writeEndDocument();
          if (reader == Reader.AGENCY) { // without an agency there is no recipient
            MongoBson.document(writer, "agencyId", is -> is.writeString("$gt", ""));
          }
          writer.writeStartDocument(field(reader, "due"));
          writer.writeInt64("$gte", least);
          writer.writeInt64("$lte", most);
          writer.writeEndDocument();
        });
  }

  @Override
  public void bringForward(Reader reader, Shards shards, long nowMillis, long longestMillis)
      throws IOException, InterruptedException {
    Bson now =
        MongoBson.document(
            writer ->
                MongoBson.document(
                    writer, "$set", to -> to.writeInt64(field(reader, "due"), nowMillis)));
    Bson fresh = dueFilter(reader, shards, nowMillis + CLOCK_MILLIS + 1, Long.MAX_VALUE);
    long latest = MongoDelivery.waitingUntil(nowMillis + longestMillis);
    Bson putOff = dueFilter(reader, shards, -Long.MAX_VALUE, latest - 1);
    documents.ask(() -> deliveries.updateMany(fresh, now));
    documents.ask(() -> deliveries.updateMany(putOff, now));
  }

  /**
   * Tries first to note that nothing is due any more, which holds for most. What that does not
   * match has further events, or was noted before, or is unknown.
   */
  @Override
  public void told(List<Told> all) throws IOException, InterruptedException {
    if (all.isEmpty()) {
      return;
    }
    long wholly = settle(all, false);
    long partly = wholly == all.size() ? 0 : settle(all, true);
    if (wholly + partly < all.size()) {
      List<Told> cut = beyond(all);
      if (!cut.isEmpty()) {
        settle(cut, false);
      }
    }
  }

  /**
   * Notes deliveries whose events were all sent; with {@code more}, those that have further events.
   * Returns how many matched.
   */
  private long settle(List<Told> all, boolean more) throws IOException, InterruptedException {
    long nowMillis = clock.millis();
    List<UpdateOneModel<MongoDelivery>> updates = new ArrayList<>(all.size());
    for (Told one : all) {
      updates.add(
          new UpdateOneModel<>(deliveredFilter(one, more), deliveredUpdate(one, more, nowMillis)));
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
          compare(writer, field(one.reader(), "told"), "$lt", one.through());
        });
  }

  private static RawBsonDocument deliveredUpdate(Told one, boolean more, long nowMillis) {
    Reader reader = one.reader();
    return MongoBson.document(
        writer -> {
          writer.writeStartDocument("$set");
          writer.writeInt32(field(reader, "told"), one.through());
          writer.writeInt32(field(reader, "last"), one.through());
          writer.writeInt64(field(reader, "lastAt"), nowMillis);
          if (more) {
            writer.writeInt64(field(reader, "due"), nowMillis);
          }
          writer.writeEndDocument();
          goOn(writer, reader, more);
        });
  }

  /**
   * Clears the failures of the event that was sent or given up, and {@code due} if no event
   * follows.
   */
  private static void goOn(BsonWriter writer, Reader reader, boolean more) {
    writer.writeStartDocument("$unset");
    forgetFailures(writer, reader);
    text(writer, field(reader, "due"), more ? null : "");
    writer.writeEndDocument();
  }

  private static void forgetFailures(BsonWriter writer, Reader reader) {
    writer.writeString(field(reader, "attempts"), "");
    writer.writeString(field(reader, "since"), "");
    writer.writeString(field(reader, "error"), "");
  }

  @Override
  public void failed(String deliveryId, Reader reader, int attempts, long dueAtMillis, String error)
      throws IOException, InterruptedException {
    Bson filter =
        MongoBson.document(
            writer -> {
              writer.writeString("_id", deliveryId);
              MongoBson.exists(writer, field(reader, "due"), true);
            });
    long nowMillis = clock.millis();
    Bson update =
        MongoBson.document(
            writer -> {
              writer.writeStartDocument("$set");
              writer.writeInt64(field(reader, "due"), MongoDelivery.waitingUntil(dueAtMillis));
              writer.writeInt32(field(reader, "attempts"), attempts);
              writer.writeString(field(reader, "error"), error);
              writer.writeEndDocument();
              MongoBson.document( // keeps the first failure's time
                  writer, "$min", to -> to.writeInt64(field(reader, "since"), nowMillis));
            });
    documents.ask(() -> deliveries.updateOne(filter, update));
  }

  @Override
  public void setAside(String deliveryId, Reader reader, int sequence, String error)
      throws IOException, InterruptedException {
    Bson byId = MongoBson.byId(deliveryId);
    for (int i = 0; i < TRIES; i++) {
      MongoDelivery read = documents.ask(() -> deliveries.find(byId).first());
      if (read == null || read.of(reader).told() >= sequence) {
        return;
      }
      Bson filter = asItWas(read, reader);
      Bson update = aside(read, reader, sequence, error, clock.millis());
      if (documents.ask(() -> deliveries.updateOne(filter, update)).getMatchedCount() == 1) {
        return;
      }
    }
    throw MongoOutage.CONTENDED;
  }

  private static RawBsonDocument asItWas(MongoDelivery read, Reader reader) {
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", read.delivery().id());
          writer.writeInt32("version", read.delivery().version());
          writer.writeInt32(field(reader, "told"), read.of(reader).told());
        });
  }

  private static RawBsonDocument aside(
      MongoDelivery read, Reader reader, int sequence, String error, long nowMillis) {
    MongoDelivery.Telling before = read.of(reader);
    List<Aside> aside = new ArrayList<>(before.aside());
    aside.removeIf(one -> one.sequence() == sequence);
    aside.add(new Aside(sequence, before.attempts() + 1, error, nowMillis));
    boolean more = read.delivery().version() > sequence;
    return MongoBson.document(
        writer -> {
          writer.writeStartDocument("$set");
          writer.writeInt32(field(reader, "told"), sequence);
          MongoDeliveryCodec.aside(writer, field(reader, "aside"), aside);
          if (more) {
            writer.writeInt64(field(reader, "due"), nowMillis);
          }
          writer.writeEndDocument();
          goOn(writer, reader, more);
        });
  }

  @Override
  public List<Telling> tellings(
      Reader reader, String partnerId, @Nullable State state, @Nullable String before, int limit)
      throws IOException, InterruptedException {
    Bson filter =
        MongoBson.document(
            writer -> {
              writer.writeString(partner(reader), partnerId);
              if (before != null) {
                MongoBson.document(writer, "_id", below -> below.writeString("$lt", before));
              }
              switch (state) {
                case null -> {}
                case WAITING -> MongoBson.exists(writer, field(reader, "due"), true);
                case SET_ASIDE -> MongoBson.exists(writer, field(reader, "aside"), true);
                case TOLD -> compare(writer, field(reader, "last"), "$gt", 0);
              }
            });
    Bson newest = MongoBson.document(writer -> writer.writeInt32("_id", -1));
    MongoCollection<MongoDelivery> relaxed = documents.relaxed(deliveries);
    MongoCollection<RawBsonDocument> raw = relaxed.withDocumentClass(RawBsonDocument.class);
    List<RawBsonDocument> found =
        documents.ask(
            () -> raw.find(filter).sort(newest).limit(limit).into(new ArrayList<>(limit)));
    List<Telling> all = new ArrayList<>();
    for (RawBsonDocument one : found) {
      if (all.size() < limit) {
        MongoWebhookStates.add(one, reader, state, all);
      }
    }
    return all;
  }

  @Override
  public long replay(Reader reader, String partnerId, long fromMillis)
      throws IOException, InterruptedException {
    Bson filter =
        MongoBson.document(
            writer -> {
              writer.writeString(partner(reader), partnerId);
              String floor = DeliveryId.floor(fromMillis);
              MongoBson.document(writer, "_id", above -> above.writeString("$gte", floor));
            });
    Bson update =
        MongoBson.document(
            writer -> {
              writer.writeStartDocument("$set");
              writer.writeInt32(field(reader, "told"), 0);
              writer.writeInt64(field(reader, "due"), clock.millis());
              writer.writeEndDocument();
              writer.writeStartDocument("$unset");
              forgetFailures(writer, reader);
              writer.writeString(field(reader, "last"), "");
              writer.writeString(field(reader, "lastAt"), "");
              writer.writeString(field(reader, "aside"), "");
              writer.writeEndDocument();
            });
    return documents.ask(() -> deliveries.updateMany(filter, update)).getMatchedCount();
  }

  /** The field that holds the partner's id. */
  private static String partner(Reader reader) {
    return reader == Reader.AGENCY ? "agencyId" : "shopId";
  }

  static String field(Reader reader, String name) {
    return "out." + MongoDeliveryCodec.field(reader) + "." + name;
  }
}
