package gilmok.deliveries;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Partners and leases in MongoDB. Each shard and seat has a lease document from the start. One
 * update takes a lease; its filter matches only a free one, so a taken lease is no error. Nodes'
 * clocks must agree to within the time by which leases are renewed before their end. Thread-safe;
 * calls block.
 */
public final class MongoPartners implements PartnerStore {
  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> partners;
  private final MongoCollection<BsonDocument> leases;

  /** Partners in a database; sends no query yet. */
  public MongoPartners(MongoDocuments documents) {
    this.documents = documents;
    partners = documents.collection("partners", new BsonDocumentCodec());
    leases = documents.collection("leases", new BsonDocumentCodec());
  }

  /** Inserts the lease documents that are missing. Must be called before any lease is taken. */
  public void addLeases() throws IOException, InterruptedException {
    List<UpdateOneModel<BsonDocument>> all = new ArrayList<>();
    Bson free = MongoBson.document(w -> MongoBson.document(w, "$setOnInsert", MongoPartners::free));
    for (int shard = 0; shard < LEASES; shard++) {
      int number = shard;
      all.add(
          new UpdateOneModel<>(
              MongoBson.document(writer -> writer.writeInt32("_id", number)),
              free,
              new UpdateOptions().upsert(true)));
    }
    documents.askEarly(() -> leases.bulkWrite(all));
  }

  /** Whether the lease documents exist; they are inserted all at once. */
  public boolean hasLeases() throws IOException, InterruptedException {
    Bson first = MongoBson.document(writer -> writer.writeInt32("_id", 0));
    return documents.askEarly(() -> leases.find(first).first() != null);
  }

  /** All queries. */
  public static List<MongoQuery> queries() {
    Bson one = byId(OutboxReader.SHOP, "x");
    return List.of(
        MongoQuery.ofAll("partners: all", "partners"),
        MongoQuery.of("partners: one", "partners", one));
  }

  private static void free(BsonWriter writer) {
    writer.writeString("holder", "");
    writer.writeInt64("until", 0);
  }

  @Override
  public void put(Partner partner) throws IOException, InterruptedException {
    Bson filter = byId(partner.reader(), partner.id());
    BsonDocument whole = document(partner);
    documents.ask(() -> partners.replaceOne(filter, whole, new ReplaceOptions().upsert(true)));
  }

  @Override
  public Kept all() throws IOException, InterruptedException {
    List<Partner> all = new ArrayList<>();
    List<UnreadablePartner> unreadable = new ArrayList<>();
    for (BsonDocument one : documents.ask(() -> partners.find().into(new ArrayList<>()))) {
      try {
        all.add(partner(one));
      } catch (UnreadablePartner damaged) {
        unreadable.add(damaged);
      }
    }
    return new Kept(all, unreadable);
  }

  @Override
  public @Nullable Partner find(OutboxReader reader, String id)
      throws IOException, InterruptedException {
    Bson filter = byId(reader, id);
    BsonDocument found = documents.ask(() -> partners.find(filter).first());
    return found == null ? null : partner(found);
  }

  @Override
  public boolean lease(int shard, String holder, long nowMillis, long untilMillis)
      throws IOException, InterruptedException {
    Bson filter =
        MongoBson.document(
            writer -> {
              writer.writeInt32("_id", shard);
              writer.writeStartArray("$or");
              writer.writeStartDocument();
              writer.writeString("holder", holder);
              writer.writeEndDocument();
              writer.writeStartDocument();
              MongoBson.compare(writer, "until", "$lte", nowMillis);
              writer.writeEndDocument();
              writer.writeEndArray();
            });
    Bson update =
        MongoBson.document(
            writer -> {
              writer.writeStartDocument("$set");
              writer.writeString("holder", holder);
              writer.writeInt64("until", untilMillis);
              writer.writeEndDocument();
            });
    return documents.ask(() -> leases.updateOne(filter, update)).getMatchedCount() == 1;
  }

  /** How many nodes hold leases now: those that run, as each holds a seat at least. */
  public int countHolders(long nowMillis) throws IOException, InterruptedException {
    Bson held = MongoBson.document(writer -> MongoBson.compare(writer, "until", "$gt", nowMillis));
    Set<BsonString> holders = new HashSet<>();
    documents.ask(() -> leases.distinct("holder", held, BsonString.class).into(holders));
    return holders.size();
  }

  @Override
  public void release(int shard, String holder) throws IOException, InterruptedException {
    Bson filter =
        MongoBson.document(
            writer -> {
              writer.writeInt32("_id", shard);
              writer.writeString("holder", holder);
            });
    Bson update = MongoBson.document(w -> MongoBson.document(w, "$set", MongoPartners::free));
    documents.ask(() -> leases.updateOne(filter, update));
  }

  private static Partner partner(BsonDocument document) {
    BsonValue found = document.get("_id");
    String key = found != null && found.isString() ? found.asString().getValue() : "" + found;
    try {
      Partner partner = read(document).checked();
      if (!key.equals(key(partner.reader(), partner.id()))) {
        throw new IllegalStateException("it says that it is " + partner.reader() + partner.id());
      }
      return partner;
    } catch (RuntimeException damaged) {
      for (OutboxReader reader : OutboxReader.values()) {
        String kind = key(reader, "");
        if (key.startsWith(kind)) {
          throw new UnreadablePartner(reader, key.substring(kind.length()), damaged);
        }
      }
      throw new UnreadablePartner(null, key, damaged);
    }
  }

  private static RawBsonDocument byId(OutboxReader reader, String id) {
    return MongoBson.byId(key(reader, id));
  }

  private static String key(OutboxReader reader, String id) {
    return reader.name() + "/" + id;
  }

  private static BsonDocument document(Partner partner) {
    return new BsonDocument("_id", new BsonString(key(partner.reader(), partner.id())))
        .append("id", new BsonString(partner.id()))
        .append("reader", new BsonString(partner.reader().name()))
        .append("url", new BsonString(partner.url()))
        .append("secrets", texts(partner.secrets()))
        .append("events", texts(partner.events()))
        .append("updatedAt", new BsonInt64(partner.updatedAtMillis()));
  }

  private static BsonArray texts(List<String> texts) {
    return new BsonArray(texts.stream().map(BsonString::new).toList());
  }

  /** Reads a document that {@link #document} has made. Anything else is unreadable. */
  private static Partner read(BsonDocument document) {
    // Missing fields have the value from before the field was introduced; checked() judges the
    // rest.
    BsonString none = new BsonString("");
    BsonString shop = new BsonString(OutboxReader.SHOP.name());
    return new Partner(
        document.getString("id", none).getValue(),
        OutboxReader.valueOf(document.getString("reader", shop).getValue()),
        document.getString("url", none).getValue(),
        texts(document, "secrets"),
        texts(document, "events"),
        document.getNumber("updatedAt", new BsonInt64(0)).longValue());
  }

  private static List<String> texts(BsonDocument document, String name) {
    return document.getArray(name, new BsonArray()).stream()
        .map(one -> one.asString().getValue())
        .toList();
  }
}
