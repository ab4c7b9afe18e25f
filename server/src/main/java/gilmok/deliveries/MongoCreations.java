package gilmok.deliveries;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import gilmok.deliveries.DeliveryStore.Creation;
import gilmok.deliveries.DeliveryStore.Idempotency;
import gilmok.deliveries.DeliveryStore.Wish;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Creates deliveries in MongoDB: at most one for a key, and at most one for an order of a shop.
 *
 * <p>A creation with a key is two writes, in this order. The first claims the key: the claim holds
 * the body's hash and the delivery's new id, and stays for {@link MongoClaim#KEEP_SECONDS}. The
 * second inserts the delivery under that id. A later request with the same key and hash finds the
 * claim. If the delivery does not exist, because the first request failed between the writes or is
 * still at work, the later one inserts it itself, with the same id and time. So it does not matter
 * which request gets how far: a key has one id, and an id has one delivery. Both writes are upserts
 * that change nothing if the document exists, so the usual refusals are no exceptions. If another
 * delivery has the order, the claim is deleted; if that fails, the key stays used, and a repeat is
 * still answered correctly.
 *
 * <p>Thread-safe; blocks.
 */
final class MongoCreations {
  /** The indexes of the claims. */
  static final List<MongoIndex> INDEXES =
      List.of(MongoIndex.of("expiry", "at").keeping(MongoClaim.KEEP_SECONDS));

  private static final BulkWriteOptions EACH_BY_ITSELF = new BulkWriteOptions().ordered(false);
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  private final MongoDocuments documents;
  private final MongoCollection<MongoDelivery> deliveries;
  private final MongoCollection<BsonDocument> claims;

  /** Creations in this collection of deliveries; claims have a collection of their own. */
  MongoCreations(MongoDocuments documents, MongoCollection<MongoDelivery> deliveries) {
    this.documents = documents;
    this.deliveries = deliveries;
    claims = documents.collection("claims", new BsonDocumentCodec());
  }

  /** Creates deliveries; the results are in the same order. */
  List<Creation> create(List<Wish> wishes) throws IOException, InterruptedException {
    Creation[] answers = new Creation[wishes.size()];
    Delivery[] firsts = new Delivery[wishes.size()];
    claim(wishes, firsts, answers);
    put(firsts, answers);
    release(wishes, firsts, answers);
    return List.of(answers);
  }

  /**
   * Claims the keys of the requests that have one. Leaves in {@code firsts} what is still to be
   * created, and puts the results of the others into {@code answers}.
   */
  private void claim(List<Wish> wishes, Delivery[] firsts, Creation[] answers)
      throws IOException, InterruptedException {
    Map<String, Integer> claimants = new LinkedHashMap<>();
    List<Integer> others = new ArrayList<>();
    List<UpdateOneModel<BsonDocument>> upserts = new ArrayList<>();
    for (int i = 0; i < firsts.length; i++) {
      firsts[i] = wishes.get(i).first();
      Idempotency asked = wishes.get(i).idempotency();
      if (asked == null) {
        continue;
      }
      String key = MongoClaim.key(asked);
      if (claimants.putIfAbsent(key, i) == null) {
        MongoClaim claim =
            new MongoClaim(key, asked.bodyHash(), firsts[i].id(), firsts[i].createdAtMillis());
        upserts.add(upsert(w -> w.writeString("_id", key), claim::fieldsButKey));
      } else {
        others.add(i);
      }
    }
    if (upserts.isEmpty()) {
      return;
    }
    Set<Integer> fresh = write(claims, upserts, trace(firsts));
    int n = 0;
    for (int i : claimants.values()) {
      if (!fresh.contains(n++)) {
        others.add(i);
      }
    }
    if (!others.isEmpty()) {
      repeated(wishes, others, firsts, answers);
    }
  }

  /**
   * Handles requests whose key was claimed before: answers them, or creates what the claim says.
   */
  private void repeated(
      List<Wish> wishes, List<Integer> those, Delivery[] firsts, Creation[] answers)
      throws IOException, InterruptedException {
    Set<String> keys = new HashSet<>();
    for (int i : those) {
      Idempotency asked = wishes.get(i).idempotency();
      if (asked != null) {
        keys.add(MongoClaim.key(asked));
      }
    }
    Map<String, MongoClaim> found = new HashMap<>();
    documents
        .ask(() -> claims.find(MongoBson.byIds(keys)).into(new ArrayList<>()))
        .forEach(
            document -> {
              MongoClaim claim = MongoClaim.of(document);
              found.put(claim.key(), claim);
            });
    Map<String, Delivery> there = new HashMap<>();
    Set<String> ids = new HashSet<>();
    found.values().forEach(claim -> ids.add(claim.deliveryId()));
    documents
        .ask(() -> deliveries.find(MongoBson.byIds(ids)).into(new ArrayList<>()))
        .forEach(stored -> there.put(stored.delivery().id(), stored.delivery()));
    for (int i : those) {
      Idempotency asked = wishes.get(i).idempotency();
      MongoClaim claim = asked == null ? null : found.get(MongoClaim.key(asked));
      if (asked == null || claim == null) {
        continue; // the claim has just expired: treated as never made
      }
      Delivery made = there.get(claim.deliveryId());
      if (!claim.bodyHash().equals(asked.bodyHash())) {
        answers[i] = new Creation.KeyReused();
      } else if (made != null) {
        answers[i] = new Creation.Repeated(Lifecycle.at(made, 1));
      } else {
        Delivery first = firsts[i];
        firsts[i] =
            Lifecycle.create(
                claim.deliveryId(),
                first.order(),
                first.events().getFirst().by(),
                claim.atMillis(),
                first.events().getFirst().details());
      }
    }
  }

  /** Inserts the deliveries that are not answered yet. */
  private void put(Delivery[] firsts, Creation[] answers) throws IOException, InterruptedException {
    List<Integer> those = new ArrayList<>();
    List<UpdateOneModel<MongoDelivery>> upserts = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      if (answers[i] == null) {
        Delivery first = firsts[i];
        those.add(i);
        upserts.add(
            upsert(
                writer -> order(writer, first),
                writer -> MongoDeliveryCodec.fieldsButOrder(writer, untold(first))));
      }
    }
    if (those.isEmpty()) {
      return;
    }
    Set<Integer> fresh = write(deliveries, upserts, trace(firsts));
    List<Integer> taken = new ArrayList<>();
    for (int n = 0; n < those.size(); n++) {
      if (fresh.contains(n)) {
        answers[those.get(n)] = new Creation.Created(firsts[those.get(n)]);
      } else {
        taken.add(those.get(n));
      }
    }
    if (!taken.isEmpty()) {
      taken(firsts, taken, answers);
    }
  }

  /** Handles deliveries whose order exists: it is another delivery's, or the same request's. */
  private void taken(Delivery[] firsts, List<Integer> those, Creation[] answers)
      throws IOException, InterruptedException {
    RawBsonDocument filter =
        MongoBson.document(
            writer -> {
              if (those.size() == 1) {
                order(writer, firsts[those.getFirst()]);
                return;
              }
              writer.writeStartArray("$or");
              for (int i : those) {
                writer.writeStartDocument();
                order(writer, firsts[i]);
                writer.writeEndDocument();
              }
              writer.writeEndArray();
            });
    Map<String, Delivery> there = new HashMap<>();
    documents
        .ask(() -> deliveries.find(filter).into(new ArrayList<>()))
        .forEach(stored -> there.put(orderKey(stored.delivery()), stored.delivery()));
    for (int i : those) {
      Delivery found = there.get(orderKey(firsts[i]));
      if (found == null) {
        throw new IOException("MongoDB: neither created nor there: " + firsts[i].id());
      }
      answers[i] =
          found.id().equals(firsts[i].id())
              ? new Creation.Repeated(Lifecycle.at(found, 1))
              : new Creation.OrderTaken(found.id());
    }
  }

  /**
   * Stores deliveries of the past. Returns for each what was there already under its id or for its
   * order; empty where it was stored.
   */
  List<Optional<Delivery>> restore(List<Delivery> past) throws IOException, InterruptedException {
    List<UpdateOneModel<MongoDelivery>> upserts = new ArrayList<>(past.size());
    for (Delivery one : past) {
      upserts.add(
          upsert(
              writer -> order(writer, one),
              writer -> MongoDeliveryCodec.fieldsButOrder(writer, settled(one))));
    }
    Set<Integer> fresh = past.isEmpty() ? Set.of() : write(deliveries, upserts, null);
    List<Optional<Delivery>> there = new ArrayList<>(past.size());
    for (int i = 0; i < past.size(); i++) {
      there.add(fresh.contains(i) ? Optional.empty() : Optional.of(there(past.get(i))));
    }
    return there;
  }

  private Delivery there(Delivery wanted) throws IOException, InterruptedException {
    RawBsonDocument byOrder = MongoBson.document(writer -> order(writer, wanted));
    for (RawBsonDocument filter : List.of(byOrder, MongoBson.byId(wanted.id()))) {
      MongoDelivery found = documents.ask(() -> deliveries.find(filter).first());
      if (found != null) {
        return found.delivery();
      }
    }
    throw new IOException("MongoDB: neither stored nor there: " + wanted.id());
  }

  /** The document of a delivery of the past: every reader has been told all its events. */
  private static MongoDelivery settled(Delivery past) {
    MongoDelivery.Progress told =
        new MongoDelivery.Progress(past.version(), 0, 0, 0, null, List.of(), List.of());
    return new MongoDelivery(past, past.events().size(), told, told, told);
  }

  private static void order(BsonWriter writer, Delivery delivery) {
    writer.writeString("shopId", delivery.order().shopId());
    writer.writeString("orderId", delivery.order().orderId());
  }

  private static String orderKey(Delivery delivery) {
    String shopId = delivery.order().shopId();
    return shopId.length() + ":" + shopId + delivery.order().orderId();
  }

  /** Deletes the claims of creations that were refused, so that their keys can be used again. */
  private void release(List<Wish> wishes, Delivery[] firsts, Creation[] answers)
      throws IOException, InterruptedException {
    List<DeleteOneModel<BsonDocument>> all = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      Idempotency asked = wishes.get(i).idempotency();
      if (asked != null && answers[i] instanceof Creation.OrderTaken) {
        String id = firsts[i].id();
        all.add(
            new DeleteOneModel<>(
                MongoBson.document(
                    writer -> {
                      writer.writeString("_id", MongoClaim.key(asked));
                      writer.writeString("deliveryId", id);
                    })));
      }
    }
    if (!all.isEmpty()) {
      documents.ask(() -> claims.bulkWrite(all, EACH_BY_ITSELF));
    }
  }

  /** The document of a new delivery: its first event is due for every reader. */
  private static MongoDelivery untold(Delivery first) {
    MongoDelivery.Progress due =
        new MongoDelivery.Progress(0, first.createdAtMillis(), 0, 0, null, List.of(), List.of());
    return new MongoDelivery(first, first.events().size(), due, due, due);
  }

  /**
   * Writes upserts, each by itself.
   *
   * @param trace of which they are part; null for none
   * @return the indexes of those whose document did not exist before
   */
  private <T> Set<Integer> write(
      MongoCollection<T> collection, List<UpdateOneModel<T>> upserts, @Nullable String trace)
      throws IOException, InterruptedException {
    BulkWriteOptions options =
        trace == null
            ? EACH_BY_ITSELF
            : new BulkWriteOptions().ordered(false).comment(MongoTrace.comment(trace));
    BulkWriteResult result =
        documents.ask(
            () -> {
              try {
                return collection.bulkWrite(upserts, options);
              } catch (MongoBulkWriteException raced) {
                // Of two concurrent upserts both may find nothing: the second fails, and the first
                // one's document exists.
                if (!MongoDocuments.saysDuplicatesAlone(raced)) {
                  throw raced;
                }
                return raced.getWriteResult();
              }
            });
    Set<Integer> fresh = new HashSet<>();
    result.getUpserts().forEach(upsert -> fresh.add(upsert.getIndex()));
    return fresh;
  }

  /** The trace of the first of them that is part of one; null for none. */
  private static @Nullable String trace(Delivery[] firsts) {
    for (Delivery first : firsts) {
      String trace = first.events().getFirst().details().trace();
      if (trace != null) {
        return trace;
      }
    }
    return null;
  }

  private static <T> UpdateOneModel<T> upsert(
      Consumer<BsonWriter> filter, Consumer<BsonWriter> fields) {
    RawBsonDocument update =
        MongoBson.document(writer -> MongoBson.document(writer, "$setOnInsert", fields));
    return new UpdateOneModel<>(MongoBson.document(filter), update, UPSERT);
  }
}
