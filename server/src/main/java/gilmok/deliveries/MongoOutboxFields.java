package gilmok.deliveries;

import gilmok.documents.MongoBson;
import java.util.List;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The fields of the outbox in a delivery's document, in filters and updates. */
final class MongoOutboxFields {
  private MongoOutboxFields() {}

  /** The filter for a range of {@code due}: {@code least} to {@code most}, in these shards. */
  static RawBsonDocument dueFilter(OutboxReader reader, Shards shards, long least, long most) {
    return dueFilter(reader, shards, null, least, most);
  }

  static RawBsonDocument dueFilter(
      OutboxReader reader, Shards shards, @Nullable String partnerId, long least, long most) {
    return MongoBson.document(
        writer -> {
          writer.writeStartDocument("shard");
          writer.writeStartArray("$in");
          shards.forEach(writer::writeInt32);
          writer.writeEndArray();
          writer.writeEndDocument();
          if (partnerId != null) {
            writer.writeString(partner(reader), partnerId);
          } else if (reader == OutboxReader.AGENCY) { // without an agency there is no recipient
            MongoBson.document(writer, "agencyId", is -> is.writeString("$gt", ""));
          }
          writer.writeStartDocument(field(reader, "due"));
          writer.writeInt64("$gte", least);
          writer.writeInt64("$lte", most);
          writer.writeEndDocument();
        });
  }

  static RawBsonDocument dueAt(OutboxReader reader, long nowMillis) {
    return MongoBson.document(
        writer ->
            MongoBson.document(
                writer, "$set", to -> to.writeInt64(field(reader, "due"), nowMillis)));
  }

  /** Adds an attempt to the history, which keeps the newest; nothing for null. */
  static void push(BsonWriter writer, OutboxReader reader, @Nullable WebhookAttempt attempt) {
    if (attempt != null) {
      writer.writeStartDocument("$push");
      writer.writeStartDocument(field(reader, "history"));
      MongoDeliveryCodec.history(writer, "$each", List.of(attempt));
      writer.writeInt32("$slice", -WebhookAttempt.KEPT_MAX);
      writer.writeEndDocument();
      writer.writeEndDocument();
    }
  }

  static void forgetFailures(BsonWriter writer, OutboxReader reader) {
    writer.writeString(field(reader, "attempts"), "");
    writer.writeString(field(reader, "since"), "");
    writer.writeString(field(reader, "error"), "");
  }

  /** The field that holds the partner's id. */
  static String partner(OutboxReader reader) {
    return reader == OutboxReader.AGENCY ? "agencyId" : "shopId";
  }

  static String field(OutboxReader reader, String name) {
    return "out." + MongoDeliveryCodec.field(reader) + "." + name;
  }
}
