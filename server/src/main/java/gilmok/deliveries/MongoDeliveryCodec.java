package gilmok.deliveries;

import static gilmok.documents.MongoBson.text;
import static gilmok.documents.MongoBson.whole;

import gilmok.deliveries.MongoDelivery.Aside;
import gilmok.deliveries.MongoDelivery.Telling;
import java.util.List;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/** A delivery's document, field by field; {@code docs/documents.md} shows it. From any thread. */
final class MongoDeliveryCodec implements Codec<MongoDelivery> {
  @Override
  public Class<MongoDelivery> getEncoderClass() {
    return MongoDelivery.class;
  }

  @Override
  public void encode(BsonWriter writer, MongoDelivery value, EncoderContext context) {
    writer.writeStartDocument();
    fieldsButOrder(writer, value);
    writer.writeString("shopId", value.delivery().order().shopId());
    writer.writeString("orderId", value.delivery().order().orderId());
    writer.writeEndDocument();
  }

  /** All but what is unique for each shop, which an upsert takes from its filter. */
  static void fieldsButOrder(BsonWriter writer, MongoDelivery value) {
    Delivery delivery = value.delivery();
    DeliveryOrder order = delivery.order();
    writer.writeString("_id", delivery.id());
    writer.writeInt32("shard", DeliveryId.shard(delivery.id()));
    writer.writeInt64("createdAt", delivery.createdAtMillis());
    MongoFields.order(writer, order);
    writer.writeInt64("revision", value.revision());
    changing(writer, delivery);
    writer.writeStartDocument("out");
    telling(writer, Outbox.Reader.LOG, value.log());
    telling(writer, Outbox.Reader.SHOP, value.shop());
    telling(writer, Outbox.Reader.AGENCY, value.agency());
    writer.writeEndDocument();
  }

  /** What moves change of a delivery. */
  static void changing(BsonWriter writer, Delivery delivery) {
    text(writer, "agencyId", delivery.agencyId());
    writer.writeString("status", delivery.status().name());
    writer.writeInt32("version", delivery.version());
    text(writer, "riderId", delivery.riderId());
    text(writer, "reason", delivery.reason());
    MongoFields.proof(writer, "proof", delivery.proof());
    writer.writeInt64("updatedAt", delivery.updatedAtMillis());
    writer.writeStartArray("events");
    for (DeliveryEvent event : delivery.events()) {
      MongoEvents.write(writer, event);
    }
    writer.writeEndArray();
    if (!delivery.waiting().isEmpty()) {
      writer.writeStartArray("waiting");
      for (Move early : delivery.waiting()) {
        MongoFields.waiting(writer, early);
      }
      writer.writeEndArray();
    }
  }

  /** A reader's name in the document. */
  static String field(Outbox.Reader reader) {
    return switch (reader) {
      case LOG -> "log";
      case SHOP -> "shop";
      case AGENCY -> "agency";
    };
  }

  private static void telling(BsonWriter writer, Outbox.Reader reader, Telling telling) {
    writer.writeStartDocument(field(reader));
    writer.writeInt32("told", telling.told());
    if (telling.isDue()) {
      writer.writeInt64("due", telling.due());
    }
    if (telling.attempts() > 0) {
      writer.writeInt32("attempts", telling.attempts());
      writer.writeInt64("since", telling.sinceMillis());
    }
    text(writer, "error", telling.error());
    if (telling.last() > 0) {
      writer.writeInt32("last", telling.last());
      writer.writeInt64("lastAt", telling.lastMillis());
    }
    aside(writer, "aside", telling.aside());
    writer.writeEndDocument();
  }

  /** What was given up, if anything was. */
  static void aside(BsonWriter writer, String name, List<Aside> all) {
    if (all.isEmpty()) {
      return;
    }
    writer.writeStartArray(name);
    for (Aside one : all) {
      writer.writeStartDocument();
      writer.writeInt32("sequence", one.sequence());
      writer.writeInt32("attempts", one.attempts());
      text(writer, "error", one.error());
      writer.writeInt64("at", one.atMillis());
      writer.writeEndDocument();
    }
    writer.writeEndArray();
  }

  @Override
  public MongoDelivery decode(BsonReader reader, DecoderContext context) {
    Building building = new Building();
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      building.read(reader.readName(), reader);
    }
    reader.readEndDocument();
    return building.built();
  }

  /** A document that is being read. */
  private static final class Building {
    private String id = "";
    private String shopId = "";
    private String orderId = "";
    private DeliveryOrder order =
        new DeliveryOrder(
            "",
            "",
            null,
            null,
            MongoFields.NOWHERE,
            MongoFields.NOWHERE,
            null,
            null,
            null,
            null,
            null);
    private long createdAt;
    private long revision;
    private @Nullable String agencyId;
    private Status status = Status.NEW;
    private int version;
    private @Nullable String riderId;
    private @Nullable String reason;
    private @Nullable DeliveryProof proof;
    private long updatedAt;
    private List<DeliveryEvent> events = List.of();
    private List<Move> waiting = List.of();
    private Telling log = MongoDelivery.UNTOLD;
    private Telling shop = MongoDelivery.UNTOLD;
    private Telling agency = MongoDelivery.UNTOLD;

    void read(String name, BsonReader reader) {
      switch (name) {
        case "_id" -> id = reader.readString();
        case "shopId" -> shopId = reader.readString();
        case "orderId" -> orderId = reader.readString();
        case "createdAt" -> createdAt = whole(reader);
        case "order" -> order = MongoFields.order(reader);
        case "revision" -> revision = whole(reader);
        case "agencyId" -> agencyId = reader.readString();
        case "status" -> status = Status.valueOf(reader.readString());
        case "version" -> version = (int) whole(reader);
        case "riderId" -> riderId = reader.readString();
        case "reason" -> reason = reader.readString();
        case "proof" -> proof = MongoFields.proof(reader);
        case "updatedAt" -> updatedAt = whole(reader);
        case "events" -> events = MongoEvents.read(reader);
        case "waiting" -> waiting = MongoFields.list(reader, MongoFields::waiting);
        case "out" -> out(reader);
        default -> reader.skipValue();
      }
    }

    private void out(BsonReader reader) {
      reader.readStartDocument();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        switch (reader.readName()) {
          case "log" -> log = telling(reader);
          case "shop" -> shop = telling(reader);
          case "agency" -> agency = telling(reader);
          default -> reader.skipValue();
        }
      }
      reader.readEndDocument();
    }

    MongoDelivery built() {
      DeliveryOrder whole =
          new DeliveryOrder(
              orderId,
              shopId,
              order.agencyId(),
              order.customerId(),
              order.pickup(),
              order.dropoff(),
              order.fee(),
              order.currency(),
              order.readyAtMillis(),
              order.dueByMillis(),
              order.comment());
      Delivery delivery =
          new Delivery(
              id, whole, agencyId, status, version, riderId, reason, proof, createdAt, updatedAt,
              events, waiting);
      return new MongoDelivery(delivery, revision, log, shop, agency);
    }
  }

  private static Telling telling(BsonReader reader) {
    int told = 0;
    long due = 0;
    int attempts = 0;
    long since = 0;
    String error = null;
    int last = 0;
    long lastAt = 0;
    List<Aside> aside = List.of();
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "told" -> told = (int) whole(reader);
        case "due" -> due = whole(reader);
        case "attempts" -> attempts = (int) whole(reader);
        case "since" -> since = whole(reader);
        case "error" -> error = reader.readString();
        case "last" -> last = (int) whole(reader);
        case "lastAt" -> lastAt = whole(reader);
        case "aside" -> aside = MongoFields.list(reader, MongoDeliveryCodec::aside);
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    return new Telling(told, due, attempts, since, error, last, lastAt, aside);
  }

  private static Aside aside(BsonReader reader) {
    int sequence = 0;
    int attempts = 0;
    String error = null;
    long at = 0;
    reader.readStartDocument();
    while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
      switch (reader.readName()) {
        case "sequence" -> sequence = (int) whole(reader);
        case "attempts" -> attempts = (int) whole(reader);
        case "error" -> error = reader.readString();
        case "at" -> at = whole(reader);
        default -> reader.skipValue();
      }
    }
    reader.readEndDocument();
    return new Aside(sequence, attempts, error, at);
  }
}
