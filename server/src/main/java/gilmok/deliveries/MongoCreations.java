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
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Creates deliveries in MongoDB: each at most once for its key, and for its shop's order.
 *
 * <p>A creation with a key is two writes, in this order. First the key is claimed, for an id: the
 * claim says by which hash and which id, and stays for {@link MongoClaim#KEEP_SECONDS}. Then the
 * delivery is put there under that id. Whoever comes with the same key and hash finds the claim;
 * and if the delivery of its id is not there, because the first fell over between the two or is not
 * so far yet, puts it there itself, under the same id and with the same time. So it does not matter
 * who comes how far: there is one id for a key, and one delivery for an id. Both writes are upserts
 * that change nothing where something is, so none of the usual refusals is an exception. When the
 * order is another delivery's, the claim is taken back; if that is not reached, the key stays used,
 * and a repeat is still answered rightly.
 *
 * <p>From any thread.
 */
final class MongoCreations {
  /** Those of the claims. */
  static final List<MongoIndex> INDEXES =
      List.of(MongoIndex.of("expiry", "at").keeping(MongoClaim.KEEP_SECONDS));

  private static final BulkWriteOptions EACH_BY_ITSELF = new BulkWriteOptions().ordered(false);
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  private final MongoDocuments documents;
  private final MongoCollection<MongoDelivery> deliveries;
  private final MongoCollection<BsonDocument> claims;

  /** Over these deliveries; the claims have a collection of their own. */
  MongoCreations(MongoDocuments documents, MongoCollection<MongoDelivery> deliveries) {
    this.documents = documents;
    this.deliveries = deliveries;
    claims = documents.collection("claims", new BsonDocumentCodec());
  }

  /** Creates them; the answers in the same order. */
  List<Creation> create(List<Wish> wishes) throws IOException, InterruptedException {
    Creation[] answers = new Creation[wishes.size()];
    Delivery[] firsts = new Delivery[wishes.size()];
    claim(wishes, firsts, answers);
    put(firsts, answers);
    release(wishes, firsts, answers);
    return List.of(answers);
  }

  /** Claims the keys; leaves what is to be created then, and answers what is not. */
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
    Set<Integer> fresh = write(claims, upserts);
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

  /** Those whose key had been claimed: answered, or to be created as the claim says. */
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
        continue; // it has just expired: as if it had never been
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
                claim.atMillis());
      }
    }
  }

  /** Puts those there that are not answered yet. */
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
    Set<Integer> fresh = write(deliveries, upserts);
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

  /** Their orders were there already: each of another delivery, or of one that made the same. */
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

  private static void order(BsonWriter writer, Delivery delivery) {
    writer.writeString("shopId", delivery.order().shopId());
    writer.writeString("orderId", delivery.order().orderId());
  }

  private static String orderKey(Delivery delivery) {
    String shopId = delivery.order().shopId();
    return shopId.length() + ":" + shopId + delivery.order().orderId();
  }

  /** A key whose creation was refused is as if it had not been used. */
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

  /** A delivery of which nobody has been told: all of it is due. */
  private static MongoDelivery untold(Delivery first) {
    MongoDelivery.Telling due =
        new MongoDelivery.Telling(0, first.createdAtMillis(), 0, 0, null, 0, 0, List.of());
    return new MongoDelivery(first, first.events().size(), due, due, due);
  }

  /**
   * Writes them, each by itself.
   *
   * @return the numbers of those that were not there before
   */
  private <T> Set<Integer> write(MongoCollection<T> collection, List<UpdateOneModel<T>> upserts)
      throws IOException, InterruptedException {
    BulkWriteResult result =
        documents.ask(
            () -> {
              try {
                return collection.bulkWrite(upserts, EACH_BY_ITSELF);
              } catch (MongoBulkWriteException raced) {
                // Two at once may both find nothing; the second fails, and the first's is there.
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

  private static <T> UpdateOneModel<T> upsert(
      Consumer<BsonWriter> filter, Consumer<BsonWriter> fields) {
    RawBsonDocument update =
        MongoBson.document(writer -> MongoBson.document(writer, "$setOnInsert", fields));
    return new UpdateOneModel<>(MongoBson.document(filter), update, UPSERT);
  }
}
