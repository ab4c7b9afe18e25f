package gilmok.deliveries;

import gilmok.deliveries.DeliveryStore.Idempotency;
import gilmok.documents.MongoBson;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;

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

  /** Scope and key as one text, the length first: so no two pairs have the same. */
  static String key(Idempotency asked) {
    return asked.scope().length() + ":" + asked.scope() + asked.key();
  }

  void fieldsButKey(BsonWriter writer) {
    writer.writeString("bodyHash", bodyHash);
    writer.writeString("deliveryId", deliveryId);
    writer.writeDateTime("at", atMillis);
  }

  /** Its document. From any thread. */
  static final class Codec implements org.bson.codecs.Codec<MongoClaim> {
    @Override
    public Class<MongoClaim> getEncoderClass() {
      return MongoClaim.class;
    }

    @Override
    public void encode(BsonWriter writer, MongoClaim value, EncoderContext context) {
      writer.writeStartDocument();
      writer.writeString("_id", value.key);
      value.fieldsButKey(writer);
      writer.writeEndDocument();
    }

    @Override
    public MongoClaim decode(BsonReader reader, DecoderContext context) {
      String key = "";
      String bodyHash = "";
      String deliveryId = "";
      long at = 0;
      reader.readStartDocument();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        switch (reader.readName()) {
          case "_id" -> key = reader.readString();
          case "bodyHash" -> bodyHash = reader.readString();
          case "deliveryId" -> deliveryId = reader.readString();
          case "at" ->
              at =
                  reader.getCurrentBsonType() == BsonType.DATE_TIME
                      ? reader.readDateTime()
                      : MongoBson.whole(reader);
          default -> reader.skipValue();
        }
      }
      reader.readEndDocument();
      return new MongoClaim(key, bodyHash, deliveryId, at);
    }
  }
}
