package gilmok.deliveries;

import static gilmok.documents.MongoBson.text;

import com.mongodb.ReadConcern;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoOutage;
import gilmok.documents.MongoQuery;
import gilmok.documents.MongoTrace;
import gilmok.retention.MongoRemovalPlans;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries in MongoDB. One document holds a delivery and its outbox, so one atomic update is a
 * whole step. An allowed move usually takes one round trip ({@link MongoMoves}). Any other takes
 * two: {@link Lifecycle} decides on the document that the second has read. Thread-safe; calls
 * block.
 */
public final class MongoDeliveries extends MongoOutbox implements DeliveryStore {
  private static final String COLLECTION = "deliveries";

  /** The indexes of the collection; {@code docs/documents.md} says what each is for. */
  private static final List<MongoIndex> INDEXES =
      List.of(
          MongoIndex.of("shop_order", "shopId", "orderId").asUnique(),
          MongoIndex.of("shop", "shopId", "_id"),
          MongoIndex.of("rider", "riderId", "_id").ofTexts("riderId"),
          MongoIndex.of("agency", "agencyId", "_id").ofTexts("agencyId"),
          MongoIndex.of("status", "status", "_id"),
          MongoIndex.of("due_log", "shard", "out.log.due").ofNumbers("out.log.due"),
          MongoIndex.of("due_shop", "shard", "out.shop.due").ofNumbers("out.shop.due"),
          MongoIndex.of("due_agency", "shard", "out.agency.due")
              .ofTexts("agencyId")
              .ofNumbers("out.agency.due"));

  private static final RawBsonDocument NO_OUTBOX =
      MongoBson.document(writer -> writer.writeInt32("out", 0));
  private static final RawBsonDocument NEWEST_FIRST =
      MongoBson.document(writer -> writer.writeInt32("_id", -1));
  private static final RawBsonDocument OLDEST_FIRST =
      MongoBson.document(writer -> writer.writeInt32("_id", 1));
  private static final FindOneAndUpdateOptions AFTER =
      new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER).projection(NO_OUTBOX);

  /**
   * Reads also what no majority has acknowledged yet, as that is what the next update applies to.
   */
  private final MongoCollection<MongoDelivery> present;

  private final MongoCollection<MongoDelivery> relaxed;
  private final MongoCreations creations;

  /** Deliveries in a database that has {@link #indexes}; sends no query yet. */
  public MongoDeliveries(
      MongoDocuments documents, InstantSource clock, UnreadableDeliveries unreadable) {
    super(documents, documents.collection(COLLECTION, CODEC), clock, unreadable);
    present = deliveries.withReadConcern(ReadConcern.LOCAL);
    relaxed = documents.relaxed(deliveries);
    creations = new MongoCreations(documents, deliveries);
  }

  /** The indexes that the queries need, by collection. */
  public static Map<String, List<MongoIndex>> indexes() {
    return Map.of(COLLECTION, INDEXES, "claims", MongoCreations.INDEXES);
  }

  /** All queries, with example values. */
  public static List<MongoQuery> queries() {
    List<MongoQuery> all = new ArrayList<>();
    all.add(MongoQuery.of("deliveries: one", COLLECTION, MongoBson.byId("x")));
    all.add(
        new MongoQuery(
            "deliveries: all, by id", COLLECTION, MongoBson.after("x"), OLDEST_FIRST, false));
    all.add(list("shop", new Filter(null, null, "x", null, null, null)));
    all.add(list("rider", new Filter(null, "x", null, null, null, null)));
    all.add(list("agency", new Filter(null, null, null, "x", null, null)));
    all.add(list("state", new Filter(Status.NEW, null, null, null, null, null)));
    all.add(list("time", new Filter(null, null, null, null, 0L, 1L)));
    for (OutboxReader reader : OutboxReader.values()) {
      all.add(
          MongoQuery.of(
              "outbox: due for " + reader,
              COLLECTION,
              MongoOutboxFields.dueFilter(reader, Shards.of(0), -1, 1)));
    }
    for (OutboxReader reader : List.of(OutboxReader.SHOP, OutboxReader.AGENCY)) {
      RawBsonDocument pending = MongoPartnerWebhooks.pending(reader, "x", -1, 1);
      all.add(MongoQuery.of("webhooks: pending for " + reader, COLLECTION, pending));
    }
    all.add(MongoQuery.of("claims: one", "claims", MongoBson.byId("x")));
    return all;
  }

  private static MongoQuery list(String by, Filter filter) {
    return new MongoQuery(
        "deliveries: list by " + by, COLLECTION, which(filter, null), NEWEST_FIRST, false);
  }

  @Override
  public List<Creation> create(List<Wish> wishes) throws IOException, InterruptedException {
    return creations.create(wishes);
  }

  @Override
  public Moving move(String id, Move move) throws IOException, InterruptedException {
    Delivery moved = moveAtOnce(id, move, clock.millis());
    if (moved != null) {
      return new Moving.Moved(moved);
    }
    for (int i = 0; i < TRIES; i++) {
      MongoDelivery read = read(id);
      if (read == null) {
        return new Moving.Unknown();
      }
      long nowMillis = clock.millis();
      switch (Lifecycle.move(read.delivery(), move, nowMillis)) {
        case Decision.Denied(Decision.Why why) -> {
          return new Moving.Denied(why, read.delivery());
        }
        case Decision.Allowed(Delivery next) -> {
          if (write(read, next, nowMillis)) {
            return new Moving.Moved(next);
          }
        }
      }
    }
    throw MongoOutage.CONTENDED;
  }

  @Override
  public @Nullable Delivery act(String id, Move action) throws IOException, InterruptedException {
    Delivery moved = moveAtOnce(id, action, clock.millis());
    if (moved != null) {
      return moved;
    }
    for (int i = 0; i < TRIES; i++) {
      MongoDelivery read = read(id);
      if (read == null) {
        return null;
      }
      long nowMillis = clock.millis();
      Delivery next = Lifecycle.act(read.delivery(), action, nowMillis);
      if (next.equals(read.delivery()) || write(read, next, nowMillis)) {
        return next;
      }
    }
    throw MongoOutage.CONTENDED;
  }

  /** Tries the move in one round trip; null when the filter did not match, for whatever reason. */
  private @Nullable Delivery moveAtOnce(String id, Move move, long nowMillis)
      throws IOException, InterruptedException {
    Bson filter = MongoMoves.filter(id, move);
    if (filter == null) {
      return null;
    }
    Bson update = MongoMoves.update(move, nowMillis);
    MongoDelivery after = documents.ask(() -> deliveries.findOneAndUpdate(filter, update, after()));
    return after == null ? null : after.delivery();
  }

  private static FindOneAndUpdateOptions after() {
    String comment = MongoTrace.comment();
    return comment == null
        ? AFTER
        : new FindOneAndUpdateOptions()
            .returnDocument(ReturnDocument.AFTER)
            .projection(NO_OUTBOX)
            .comment(comment);
  }

  private @Nullable MongoDelivery read(String id) throws IOException, InterruptedException {
    Bson filter = MongoBson.byId(id);
    return documents.ask(
        () -> present.find(filter).comment(MongoTrace.comment()).projection(NO_OUTBOX).first());
  }

  /** Writes the outcome of a decision; false when the document has changed since it was read. */
  private boolean write(MongoDelivery read, Delivery next, long nowMillis)
      throws IOException, InterruptedException {
    Bson filter = MongoMoves.unchanged(read);
    Bson update = MongoMoves.update(read.delivery(), next, nowMillis);
    UpdateOptions options = new UpdateOptions().comment(MongoTrace.comment());
    return documents.ask(() -> deliveries.updateOne(filter, update, options)).getMatchedCount()
        == 1;
  }

  @Override
  public @Nullable Delivery find(String id) throws IOException, InterruptedException {
    Bson filter = MongoBson.byId(id);
    MongoDelivery found =
        documents.ask(
            () -> relaxed.find(filter).comment(MongoTrace.comment()).projection(NO_OUTBOX).first());
    return found == null ? null : found.delivery();
  }

  @Override
  public List<Delivery> list(Filter filter, @Nullable String before, int limit)
      throws IOException, InterruptedException {
    return page(which(filter, before), NEWEST_FIRST, limit);
  }

  @Override
  public List<Delivery> after(String id, int limit) throws IOException, InterruptedException {
    return page(MongoBson.after(id), OLDEST_FIRST, limit);
  }

  @Override
  public String removedTo() throws IOException, InterruptedException {
    return new MongoRemovalPlans(documents, DeliveryRemoval.KIND).removedTo();
  }

  @Override
  public List<Optional<Delivery>> restore(List<Delivery> past)
      throws IOException, InterruptedException {
    return creations.restore(past);
  }

  private List<Delivery> page(Bson which, Bson order, int limit)
      throws IOException, InterruptedException {
    List<Delivery> page = new ArrayList<>(limit);
    try {
      documents.ask(
          () -> {
            relaxed
                .find(which)
                .comment(MongoTrace.comment())
                .projection(NO_OUTBOX)
                .sort(order)
                .limit(limit)
                .forEach(found -> page.add(found.delivery()));
            return page;
          });
      return page;
    } catch (RuntimeException oneIsDamaged) {
      return readable(which, order, limit);
    }
  }

  /**
   * Reads deliveries, skipping unreadable ones. Each gives its place to the next, so that only the
   * last page is short.
   */
  private List<Delivery> readable(Bson which, Bson order, int limit)
      throws IOException, InterruptedException {
    Map<String, Throwable> leftOut = new LinkedHashMap<>();
    FindIterable<RawBsonDocument> all =
        relaxed
            .withDocumentClass(RawBsonDocument.class)
            .find(which)
            .projection(NO_OUTBOX)
            .sort(order)
            .limit(limit + UnreadableDeliveries.LEFT_OUT_MAX)
            .batchSize(limit);
    List<Delivery> page =
        documents.ask(
            () -> {
              List<Delivery> found = new ArrayList<>(limit);
              try (MongoCursor<RawBsonDocument> rows = all.iterator()) {
                while (found.size() < limit && rows.hasNext()) {
                  RawBsonDocument one = rows.next();
                  try {
                    found.add(one.decode(CODEC).delivery());
                  } catch (RuntimeException damaged) {
                    leftOut.put(String.valueOf(one.getString("_id").getValue()), damaged);
                  }
                }
              }
              return found;
            });
    unreadable.leftOut(leftOut);
    return page;
  }

  /**
   * The filter of a list. Times become ranges of the id, which sorts by creation and ends every
   * index.
   */
  static RawBsonDocument which(Filter filter, @Nullable String before) {
    Status status = filter.status();
    Long from = filter.fromMillis();
    Long to = filter.toMillis();
    String least = from == null ? null : DeliveryId.floor(from);
    String end = to == null ? null : DeliveryId.floor(to);
    String below = end == null || (before != null && before.compareTo(end) < 0) ? before : end;
    return MongoBson.document(
        writer -> {
          text(writer, "shopId", filter.shopId());
          text(writer, "riderId", filter.riderId());
          text(writer, "agencyId", filter.agencyId());
          text(writer, "status", status == null ? null : status.name());
          if (least != null || below != null) {
            writer.writeStartDocument("_id");
            text(writer, "$gte", least);
            text(writer, "$lt", below);
            writer.writeEndDocument();
          }
        });
  }
}
