package gilmok.statements;

import gilmok.documents.MongoBson;
import gilmok.observe.PartTimes;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;

/**
 * Encodes and decodes an entry's document. The fields of a statement come in the order of its
 * index, so an answer looks the same whether it comes from the index or the documents. Thread-safe.
 */
final class MongoEntryCodec implements Codec<StatementEntry> {
  @Override
  public Class<StatementEntry> getEncoderClass() {
    return StatementEntry.class;
  }

  @Override
  public void encode(BsonWriter writer, StatementEntry entry, EncoderContext context) {
    writer.writeStartDocument();
    writer.writeString("_id", entry.id());
    writer.writeString("riderId", entry.riderId());
    writer.writeInt64("at", entry.atMillis());
    writer.writeString("kind", entry.kind().label());
    writer.writeInt64("amount", entry.amount());
    // Always written: an index cannot tell absent from null, and would not cover the field.
    writer.writeInt64("distance", entry.distance());
    writer.writeString("currency", entry.currency());
    MongoBson.text(writer, "deliveryId", entry.deliveryId());
    writer.writeEndDocument();
  }

  @Override
  public StatementEntry decode(BsonReader reader, DecoderContext context) {
    return PartTimes.worked(PartTimes.MAPPING, () -> mapped(reader));
  }

  private static StatementEntry mapped(BsonReader reader) {
    String id = "";
    String riderId = "";
    long at = 0;
    EntryKind kind = null;
    long amount = 0;
    String currency = "";
    String deliveryId = null;
    long distance = 0;
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "_id" -> id = reader.readString();
        case "riderId" -> riderId = reader.readString();
        case "at" -> at = MongoBson.whole(reader);
        case "kind" -> kind = EntryKind.ofLabel(reader.readString());
        case "amount" -> amount = MongoBson.whole(reader);
        case "currency" -> currency = reader.readString();
        case "deliveryId" -> deliveryId = reader.readString();
        case "distance" -> distance = MongoBson.whole(reader);
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    if (kind == null) {
      throw new IllegalStateException("the entry " + id + " is of no kind that is known");
    }
    return new StatementEntry(id, riderId, at, kind, amount, currency, deliveryId, distance);
  }
}
