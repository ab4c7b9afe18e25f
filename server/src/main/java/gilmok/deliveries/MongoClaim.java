package gilmok.deliveries;

import gilmok.deliveries.DeliveryStore.Idempotency;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.BsonWriter;

/**
 * That a key of a creation was used: for which body, and for which delivery.
 *
 * @param key of {@link #key}
 * @param deliveryId which may not be there yet ({@link MongoCreations})
 * @param atMillis when the delivery is created, epoch ms
 */
record MongoClaim(String key, String bodyHash, String deliveryId, long atMillis) {
  /** How long it is kept: longer than anybody repeats. */
  static final long KEEP_SECONDS = 48 * 3_600L;

  private static final BsonString NOTHING = new BsonString("");
  private static final BsonInt64 NEVER = new BsonInt64(0);

  /** Scope and key as one text, the length first: so no two pairs have the same. */
  static String key(Idempotency asked) {
    return asked.scope().length() + ":" + asked.scope() + asked.key();
  }

  void fieldsButKey(BsonWriter writer) {
    writer.writeString("bodyHash", bodyHash);
    writer.writeString("deliveryId", deliveryId);
    writer.writeDateTime("at", atMillis);
  }

  /** The claim of a document; what is missing in it is empty. */
  static MongoClaim of(BsonDocument document) {
    BsonValue at = document.get("at", NEVER);
    return new MongoClaim(
        document.getString("_id").getValue(),
        document.getString("bodyHash", NOTHING).getValue(),
        document.getString("deliveryId", NOTHING).getValue(),
        at.isDateTime() ? at.asDateTime().getValue() : at.asNumber().longValue());
  }
}
