package gilmok.deliveries;

import static gilmok.documents.MongoBson.number;
import static gilmok.documents.MongoBson.text;
import static gilmok.documents.MongoBson.whole;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * A delivery's events, written and read. An event's sequence is not written, nor the rider whom it
 * is about, but where it names one ({@link Step#ASSIGN}): both follow from the events before it, so
 * that one can be added by a move that has not read them. From any thread.
 */
final class MongoEvents {
  private MongoEvents() {}

  static void write(BsonWriter writer, DeliveryEvent event) {
    writer.writeStartDocument();
    String riderId = event.step() == Step.ASSIGN ? event.riderId() : null;
    fields(
        writer,
        event.step(),
        event.atMillis(),
        event.recordedAtMillis(),
        event.by(),
        event.lat(),
        event.lon(),
        riderId,
        event.agencyId(),
        event.reason(),
        event.proof(),
        event.source());
    if (event.late()) {
      writer.writeBoolean("late", true);
    }
    writer.writeEndDocument();
  }

  /** The fields of the event that a move leaves. */
  static void fields(BsonWriter writer, Move move, long nowMillis) {
    fields(
        writer,
        move.step(),
        move.atMillis(),
        nowMillis,
        move.by(),
        move.lat(),
        move.lon(),
        move.step() == Step.ASSIGN ? move.riderId() : null,
        move.step() == Step.ACCEPT ? move.agencyId() : null,
        move.reason(),
        move.proof(),
        move.source());
  }

  private static void fields(
      BsonWriter writer,
      Step step,
      long atMillis,
      long recordedAtMillis,
      String by,
      @Nullable Double lat,
      @Nullable Double lon,
      @Nullable String riderId,
      @Nullable String agencyId,
      @Nullable String reason,
      @Nullable DeliveryProof proof,
      @Nullable String source) {
    writer.writeString("step", step.name());
    writer.writeInt64("at", atMillis);
    writer.writeInt64("recordedAt", recordedAtMillis);
    writer.writeString("by", by);
    number(writer, "lat", lat);
    number(writer, "lon", lon);
    text(writer, "riderId", riderId);
    text(writer, "agencyId", agencyId);
    text(writer, "reason", reason);
    MongoFields.proof(writer, "proof", proof);
    text(writer, "source", source);
  }

  /** Reads all of them, from the first. */
  static List<DeliveryEvent> read(BsonReader reader) {
    List<DeliveryEvent> events = new ArrayList<>();
    int sequence = 0;
    String riderId = null;
    reader.readStartArray();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      DeliveryEvent event = one(reader, sequence + 1, riderId);
      events.add(event);
      if (!event.late()) {
        sequence++;
        riderId = event.step() == Step.UNASSIGN ? null : event.riderId();
      }
    }
    reader.readEndArray();
    return events;
  }

  private static DeliveryEvent one(BsonReader reader, int next, @Nullable String present) {
    Step step = Step.CREATE;
    long at = 0;
    long recordedAt = 0;
    String by = "";
    Double lat = null;
    Double lon = null;
    String named = null;
    String agencyId = null;
    String reason = null;
    DeliveryProof proof = null;
    String source = null;
    boolean late = false;
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "step" -> step = Step.valueOf(reader.readString());
        case "at" -> at = whole(reader);
        case "recordedAt" -> recordedAt = whole(reader);
        case "by" -> by = reader.readString();
        case "lat" -> lat = number(reader);
        case "lon" -> lon = number(reader);
        case "riderId" -> named = reader.readString();
        case "agencyId" -> agencyId = reader.readString();
        case "reason" -> reason = reader.readString();
        case "proof" -> proof = MongoFields.proof(reader);
        case "source" -> source = reader.readString();
        case "late" -> late = reader.readBoolean();
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    return new DeliveryEvent(
        late ? 0 : next,
        step,
        at,
        recordedAt,
        by,
        lat,
        lon,
        step == Step.ASSIGN ? named : present,
        agencyId,
        reason,
        proof,
        source,
        late);
  }
}
