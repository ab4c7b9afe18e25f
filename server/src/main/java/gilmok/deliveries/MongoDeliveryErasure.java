package gilmok.deliveries;

import com.mongodb.client.MongoCollection;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoOutage;
import gilmok.documents.MongoQuery;
import gilmok.event.RiderAlias;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;

/** The same of deliveries in MongoDB, by id. Several nodes may do it at once. Thread-safe. */
public final class MongoDeliveryErasure implements DeliveryErasure {
  private static final int PAGE = 100;
  private static final RawBsonDocument BY_ID =
      MongoBson.document(order -> order.writeInt32("_id", 1));

  private final MongoDocuments documents;
  private final MongoCollection<MongoDelivery> deliveries;

  /** Deliveries in a database; sends no query yet. */
  public MongoDeliveryErasure(MongoDocuments documents) {
    this.documents = documents;
    deliveries = documents.collection("deliveries", MongoOutbox.CODEC);
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    return List.of(
        new MongoQuery("erasure: deliveries of a rider", "deliveries", of("r", "x"), BY_ID, false));
  }

  @Override
  public long rename(RiderAlias alias) throws IOException, InterruptedException {
    RenamedRider renaming = new RenamedRider(alias);
    long renamed = 0;
    String after = "";
    List<MongoDelivery> found = page(alias.id(), after);
    while (!found.isEmpty()) {
      for (MongoDelivery one : found) {
        renamed += rename(one, renaming) ? 1 : 0;
        after = one.delivery().id();
      }
      found = page(alias.id(), after);
    }
    return renamed;
  }

  @Override
  public void each(String riderId, Consumer<Delivery> taker)
      throws IOException, InterruptedException {
    List<MongoDelivery> found = page(riderId, "");
    while (!found.isEmpty()) {
      found.forEach(one -> taker.accept(one.delivery()));
      found = page(riderId, found.getLast().delivery().id());
    }
  }

  private List<MongoDelivery> page(String riderId, String after)
      throws IOException, InterruptedException {
    Bson filter = of(riderId, after);
    try {
      return documents.ask(
          () -> deliveries.find(filter).sort(BY_ID).limit(PAGE).into(new ArrayList<>()));
    } catch (RuntimeException damaged) {
      throw new IOException(
          "a delivery of the rider behind "
              + after
              + " cannot be read; correct or remove its document: "
              + damaged.getMessage(),
          damaged);
    }
  }

  private boolean rename(MongoDelivery found, RenamedRider renaming)
      throws IOException, InterruptedException {
    MongoDelivery now = found;
    for (int i = 0; i < MongoOutbox.TRIES && now != null; i++) {
      MongoDelivery read = now;
      Delivery next = renaming.in(read.delivery());
      if (next.equals(read.delivery())) {
        return false;
      }
      Bson update = MongoMoves.update(read.delivery(), next, 0); // nothing becomes due by it
      if (documents
              .ask(() -> deliveries.updateOne(MongoMoves.unchanged(read), update))
              .getMatchedCount()
          == 1) {
        return true;
      }
      String id = read.delivery().id();
      now = documents.ask(() -> deliveries.find(MongoBson.byId(id)).first());
    }
    if (now != null) {
      throw MongoOutage.CONTENDED;
    }
    return false; // it was removed
  }

  /** Deliveries whose ids sort after that one, and which the rider has or had a part in. */
  private static RawBsonDocument of(String riderId, String after) {
    return MongoBson.document(
        writer -> {
          MongoBson.document(writer, "_id", id -> id.writeString("$gt", after));
          writer.writeStartArray("$or");
          is(writer, "riderId", riderId);
          is(writer, "events.riderId", riderId);
          is(writer, "events.by", "rider:" + riderId);
          is(writer, "waiting.by", "rider:" + riderId);
          writer.writeEndArray();
        });
  }

  private static void is(BsonWriter writer, String field, String value) {
    writer.writeStartDocument();
    writer.writeString(field, value);
    writer.writeEndDocument();
  }
}
