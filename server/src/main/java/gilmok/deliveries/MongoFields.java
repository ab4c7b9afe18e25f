package gilmok.deliveries;

import static gilmok.documents.MongoBson.number;
import static gilmok.documents.MongoBson.text;
import static gilmok.documents.MongoBson.whole;

import gilmok.auth.Binding;
import gilmok.documents.MongoBson;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a delivery's document, written and read. What is null is not written; what is not
 * known is passed over. From any thread.
 */
final class MongoFields {
  private MongoFields() {}

  /** Reads an array of documents. */
  static <T> List<T> list(BsonReader reader, Function<BsonReader, T> one) {
    List<T> all = new ArrayList<>();
    reader.readStartArray();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      all.add(one.apply(reader));
    }
    reader.readEndArray();
    return all;
  }

  static void place(BsonWriter writer, String name, DeliveryPlace place) {
    writer.writeStartDocument(name);
    writer.writeDouble("lat", place.lat());
    writer.writeDouble("lon", place.lon());
    writer.writeString("address", place.address());
    text(writer, "phone", place.phone());
    writer.writeEndDocument();
  }

  static DeliveryPlace place(BsonReader reader) {
    double lat = 0;
    double lon = 0;
    String address = "";
    String phone = null;
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "lat" -> lat = number(reader);
        case "lon" -> lon = number(reader);
        case "address" -> address = reader.readString();
        case "phone" -> phone = reader.readString();
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    return new DeliveryPlace(lat, lon, address, phone);
  }

  static void proof(BsonWriter writer, String name, @Nullable DeliveryProof proof) {
    if (proof == null) {
      return;
    }
    writer.writeStartDocument(name);
    writer.writeString("kind", proof.kind().name());
    text(writer, "code", proof.code());
    text(writer, "sha256", proof.sha256());
    text(writer, "url", proof.url());
    writer.writeEndDocument();
  }

  static DeliveryProof proof(BsonReader reader) {
    DeliveryProof.Kind kind = DeliveryProof.Kind.CODE;
    String code = null;
    String sha256 = null;
    String url = null;
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "kind" -> kind = DeliveryProof.Kind.valueOf(reader.readString());
        case "code" -> code = reader.readString();
        case "sha256" -> sha256 = reader.readString();
        case "url" -> url = reader.readString();
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    return new DeliveryProof(kind, code, sha256, url);
  }

  /** What waits: all of it but its version, which riders' actions have none of, has a name here. */
  static void waiting(BsonWriter writer, Move move) {
    writer.writeStartDocument();
    writer.writeString("step", move.step().name());
    writer.writeString("by", move.by());
    Binding binding = move.binding();
    if (binding != null) {
      writer.writeString("boundTo", binding.kind().name());
      writer.writeString("boundId", binding.id());
    }
    writer.writeInt64("at", move.atMillis());
    Integer version = move.ifVersion();
    whole(writer, "ifVersion", version == null ? null : version.longValue());
    number(writer, "lat", move.lat());
    number(writer, "lon", move.lon());
    text(writer, "riderId", move.riderId());
    text(writer, "agencyId", move.agencyId());
    text(writer, "reason", move.reason());
    proof(writer, "proof", move.proof());
    text(writer, "source", move.source());
    writer.writeEndDocument();
  }

  static Move waiting(BsonReader reader) {
    Step step = Step.CREATE;
    String by = "";
    Binding.Kind boundTo = null;
    String boundId = "";
    long at = 0;
    Integer ifVersion = null;
    Double lat = null;
    Double lon = null;
    String riderId = null;
    String agencyId = null;
    String reason = null;
    DeliveryProof proof = null;
    String source = null;
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "step" -> step = Step.valueOf(reader.readString());
        case "by" -> by = reader.readString();
        case "boundTo" -> boundTo = Binding.Kind.valueOf(reader.readString());
        case "boundId" -> boundId = reader.readString();
        case "at" -> at = whole(reader);
        case "ifVersion" -> ifVersion = (int) whole(reader);
        case "lat" -> lat = number(reader);
        case "lon" -> lon = number(reader);
        case "riderId" -> riderId = reader.readString();
        case "agencyId" -> agencyId = reader.readString();
        case "reason" -> reason = reader.readString();
        case "proof" -> proof = proof(reader);
        case "source" -> source = reader.readString();
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    Binding binding = boundTo == null ? null : new Binding(boundTo, boundId);
    return new Move(
        step, by, binding, at, ifVersion, lat, lon, riderId, agencyId, reason, proof, source);
  }

  static void order(BsonWriter writer, DeliveryOrder order) {
    MongoBson.document(
        writer,
        "order",
        _ -> {
          text(writer, "agencyId", order.agencyId());
          text(writer, "customerId", order.customerId());
          place(writer, "pickup", order.pickup());
          place(writer, "dropoff", order.dropoff());
          whole(writer, "fee", order.fee());
          text(writer, "currency", order.currency());
          whole(writer, "readyAt", order.readyAtMillis());
          whole(writer, "dueBy", order.dueByMillis());
          text(writer, "comment", order.comment());
        });
  }

  /** What of an order is not looked up by, and so stands apart; shop and order ids are put in. */
  static DeliveryOrder order(BsonReader reader) {
    String agencyId = null;
    String customerId = null;
    DeliveryPlace pickup = NOWHERE;
    DeliveryPlace dropoff = NOWHERE;
    Long fee = null;
    String currency = null;
    Long readyAt = null;
    Long dueBy = null;
    String comment = null;
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "agencyId" -> agencyId = reader.readString();
        case "customerId" -> customerId = reader.readString();
        case "pickup" -> pickup = place(reader);
        case "dropoff" -> dropoff = place(reader);
        case "fee" -> fee = whole(reader);
        case "currency" -> currency = reader.readString();
        case "readyAt" -> readyAt = whole(reader);
        case "dueBy" -> dueBy = whole(reader);
        case "comment" -> comment = reader.readString();
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    return new DeliveryOrder(
        "", "", agencyId, customerId, pickup, dropoff, fee, currency, readyAt, dueBy, comment);
  }

  static final DeliveryPlace NOWHERE = new DeliveryPlace(0, 0, "", null);
}
