package gilmok.privacy;

import static gilmok.documents.MongoBson.byId;
import static gilmok.documents.MongoBson.document;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * The consents of all nodes in MongoDB. Each change notes the database's time, by which the other
 * nodes find it. Thread-safe; calls block.
 */
public final class MongoConsents implements ConsentStore {
  private static final String CHANGED = "changed";

  /** The name of the collection. */
  public static final String COLLECTION = "consents";

  /** The indexes that the queries need. */
  public static final List<MongoIndex> INDEXES = List.of(MongoIndex.of("changed", CHANGED));

  private static final String ID = "_id";
  private static final String STATE = "state";
  private static final String PURPOSES = "purposes";
  private static final String AT = "at";
  private static final String KEY = "key";
  private static final String HIGH = "high";
  private static final String LOW = "low";
  private static final UpdateOptions ADD = new UpdateOptions().upsert(true);
  private static final RawBsonDocument BY_ID = document(order -> order.writeInt32(ID, 1));
  private static final RawBsonDocument OLDEST = document(order -> order.writeInt32(CHANGED, 1));

  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> consents;

  /** Consents in a database that has the {@link #INDEXES}; sends no query yet. */
  public MongoConsents(MongoDocuments documents) {
    this.documents = documents;
    consents = documents.collection(COLLECTION, new BsonDocumentCodec());
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    return List.of(
        new MongoQuery("consents: all, by id", COLLECTION, MongoBson.after("r"), BY_ID, false),
        new MongoQuery("consents: changed", COLLECTION, changedSince(0), OLDEST, false));
  }

  @Override
  public void put(Consent consent, String pseudonym) throws IOException, InterruptedException {
    put(consent);
    documents.ask(() -> consents.deleteOne(byId(pseudonym)));
  }

  private void put(Consent consent) throws IOException, InterruptedException {
    RawBsonDocument update = update(consent);
    documents.ask(
        () -> {
          try {
            return consents.updateOne(byId(consent.riderId()), update, ADD);
          } catch (MongoException there) {
            if (there.getCode() != MongoDocuments.DUPLICATE_KEY) {
              throw there;
            }
            return consents.updateOne(byId(consent.riderId()), update, ADD);
          }
        });
  }

  private static RawBsonDocument update(Consent consent) {
    RiderDigest digest = consent.digest();
    return document(
        writer -> {
          document(
              writer,
              "$set",
              to -> {
                to.writeString(STATE, consent.state().label());
                to.writeInt32(PURPOSES, consent.purposes());
                to.writeInt64(AT, consent.atMillis());
                to.writeString(KEY, consent.keyId());
                if (digest != null) {
                  to.writeInt64(HIGH, digest.high());
                  to.writeInt64(LOW, digest.low());
                }
              });
          document(writer, "$currentDate", now -> now.writeBoolean(CHANGED, true));
        });
  }

  @Override
  public @Nullable Consent find(String riderId) throws IOException, InterruptedException {
    BsonDocument found = documents.ask(() -> consents.find(byId(riderId)).first());
    return found == null ? null : consent(found);
  }

  @Override
  public Page page(@Nullable String after) throws IOException, InterruptedException {
    List<BsonDocument> found = some(MongoBson.after(after == null ? "" : after), BY_ID);
    String next = found.size() < PAGE_MAX ? null : found.getLast().getString(ID).getValue();
    return new Page(found.stream().map(MongoConsents::consent).toList(), next);
  }

  @Override
  public Changes changes(long sinceMillis) throws IOException, InterruptedException {
    List<BsonDocument> found = some(changedSince(sinceMillis), OLDEST);
    long through = found.isEmpty() ? sinceMillis : changedMillis(found.getLast());
    return new Changes(
        found.stream().map(MongoConsents::consent).toList(), through, found.size() < PAGE_MAX);
  }

  @Override
  public long newestMillis() throws IOException, InterruptedException {
    RawBsonDocument newest = document(order -> order.writeInt32(CHANGED, -1));
    BsonDocument found = documents.ask(() -> consents.find().sort(newest).limit(1).first());
    return found == null ? 0 : changedMillis(found);
  }

  @Override
  public int erase(String riderId, String pseudonym, RiderDigest digest)
      throws IOException, InterruptedException {
    Consent known = find(riderId);
    if (known == null) {
      return 0;
    }
    put(known.erased(pseudonym, digest));
    return (int) documents.ask(() -> consents.deleteOne(byId(riderId))).getDeletedCount();
  }

  private List<BsonDocument> some(RawBsonDocument filter, RawBsonDocument order)
      throws IOException, InterruptedException {
    return documents.ask(
        () ->
            consents
                .find(filter)
                .sort(order)
                .limit(PAGE_MAX)
                .batchSize(PAGE_MAX)
                .into(new ArrayList<>()));
  }

  private static RawBsonDocument changedSince(long millis) {
    return document(
        filter -> document(filter, CHANGED, since -> since.writeDateTime("$gte", millis)));
  }

  private static long changedMillis(BsonDocument document) {
    return document.getDateTime(CHANGED, new BsonDateTime(0)).getValue();
  }

  private static Consent consent(BsonDocument document) {
    BsonInt64 none = new BsonInt64(0);
    RiderDigest digest =
        document.containsKey(HIGH)
            ? new RiderDigest(
                document.getNumber(HIGH).longValue(), document.getNumber(LOW, none).longValue())
            : null;
    return new Consent(
        document.getString(ID).getValue(),
        Objects.requireNonNull(
            ConsentState.of(document.getString(STATE).getValue()), "a consent without a state"),
        document.getNumber(PURPOSES).intValue(),
        document.getNumber(AT, none).longValue(),
        document.getString(KEY).getValue(),
        digest);
  }
}
