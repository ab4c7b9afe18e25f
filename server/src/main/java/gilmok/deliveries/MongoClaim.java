package gilmok.deliveries;

import gilmok.deliveries.DeliveryStore.Idempotency;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.BsonWriter;

/**
 * The claim of an idempotency key: for which body, and for which delivery. Immutable.
 *
 * @param key made by {@link #key}
 * @param deliveryId the delivery, which may not exist yet ({@link MongoCreations})
 * @param atMillis the time of the delivery's creation, epoch ms
 */
record MongoClaim(String key, String bodyHash, String deliveryId, long atMillis) {
  /** How long a claim is kept: longer than any client repeats a request. */
  static final long KEEP_SECONDS = 48 * 3_600L;

  private static final BsonString NOTHING = new BsonString("");
  private static final BsonInt64 NEVER = new BsonInt64(0);

  /** Scope and key as one text, unique for each pair, as the scope's length comes first. */
  static String key(Idempotency asked) {
    return asked.scope().length() + ":" + asked.scope() + asked.key();
  }

  void fieldsButKey(BsonWriter writer) {
    writer.writeString("bodyHash", bodyHash);
    writer.writeString("deliveryId", deliveryId);
    writer.writeDateTime("at", atMillis);
  }

  /** The claim in a document; missing fields become empty. */
  static MongoClaim of(BsonDocument document) {
    BsonValue at = document.get("at", NEVER);
    return new MongoClaim(
        document.getString("_id").getValue(),
        document.getString("bodyHash", NOTHING).getValue(),
        document.getString("deliveryId", NOTHING).getValue(),
        at.isDateTime() ? at.asDateTime().getValue() : at.asNumber().longValue());
  }
}
