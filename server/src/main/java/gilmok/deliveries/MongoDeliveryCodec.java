package gilmok.deliveries;

import static gilmok.documents.MongoBson.document;
import static gilmok.documents.MongoBson.text;

import gilmok.deliveries.MongoDelivery.Aside;
import gilmok.deliveries.MongoDelivery.Progress;
import gilmok.observe.PartTimes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;

/**
 * Encodes and decodes a delivery's document field by field; {@code docs/documents.md} shows it.
 * Thread-safe.
 */
final class MongoDeliveryCodec implements Codec<MongoDelivery> {
  private static final DeliveryPlace NOWHERE = new DeliveryPlace(0, 0, "", null);

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

  /**
   * Writes all fields except the shop's id and the order's, which an upsert takes from its filter.
   */
  static void fieldsButOrder(BsonWriter writer, MongoDelivery value) {
    Delivery delivery = value.delivery();
    DeliveryWriter deliveries = deliveries(writer);
    writer.writeString("_id", delivery.id());
    writer.writeInt32("shard", DeliveryId.shard(delivery.id()));
    writer.writeInt64("createdAt", delivery.createdAtMillis());
    document(writer, "order", _ -> deliveries.order(delivery.order()));
    writer.writeInt64("revision", value.revision());
    deliveries.state(delivery);
    deliveries.history(delivery);
    writer.writeStartDocument("out");
    progress(writer, OutboxReader.LOG, value.log());
    progress(writer, OutboxReader.SHOP, value.shop());
    progress(writer, OutboxReader.AGENCY, value.agency());
    writer.writeEndDocument();
  }

  /** A writer of deliveries and their parts in this document's form. */
  static DeliveryWriter deliveries(BsonWriter writer) {
    return new DeliveryWriter(new MongoFieldWriter(writer), true);
  }

  /** The name of a reader's fields. */
  static String field(OutboxReader reader) {
    return switch (reader) {
      case LOG -> "log";
      case SHOP -> "shop";
      case AGENCY -> "agency";
    };
  }

  private static void progress(BsonWriter writer, OutboxReader reader, Progress progress) {
    writer.writeStartDocument(field(reader));
    writer.writeInt32("told", progress.told());
    if (progress.isDue()) {
      writer.writeInt64("due", progress.due());
    }
    if (progress.attempts() > 0) {
      writer.writeInt32("attempts", progress.attempts());
      writer.writeInt64("since", progress.sinceMillis());
    }
    text(writer, "error", progress.error());
    aside(writer, "aside", progress.aside());
    if (!progress.history().isEmpty()) {
      history(writer, "history", progress.history());
    }
    writer.writeEndDocument();
  }

  /** Writes the events that were given up, if there are any. */
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

  /** Writes attempts. */
  static void history(BsonWriter writer, String name, List<WebhookAttempt> all) {
    writer.writeStartArray(name);
    for (WebhookAttempt one : all) {
      writer.writeStartDocument();
      writer.writeInt32("sequence", one.sequence());
      writer.writeInt64("at", one.atMillis());
      writer.writeInt32("status", one.status());
      writer.writeInt64("latencyMillis", one.latencyMillis());
      text(writer, "error", one.error());
      writer.writeEndDocument();
    }
    writer.writeEndArray();
  }

  @Override
  public MongoDelivery decode(BsonReader reader, DecoderContext context) {
    return PartTimes.worked(PartTimes.MAPPING, () -> mapped(reader));
  }

  private static MongoDelivery mapped(BsonReader reader) {
    MongoFieldReader in = new MongoFieldReader(reader);
    DeliveryReader delivery = new DeliveryReader(in, NOWHERE);
    Map<String, Progress> out = Map.of();
    long revision = 0;
    in.begin();
    for (String name = in.next(); name != null; name = in.next()) {
      switch (name) {
        case "revision" -> revision = in.whole();
        case "out" -> out = out(in);
        default -> delivery.field(name);
      }
    }
    return new MongoDelivery(
        delivery.delivery(),
        revision,
        out.getOrDefault("log", MongoDelivery.UNTOLD),
        out.getOrDefault("shop", MongoDelivery.UNTOLD),
        out.getOrDefault("agency", MongoDelivery.UNTOLD));
  }

  private static Map<String, Progress> out(MongoFieldReader in) {
    Map<String, Progress> out = new HashMap<>();
    in.begin();
    for (String name = in.next(); name != null; name = in.next()) {
      out.put(name, progress(in));
    }
    return out;
  }

  private static Progress progress(MongoFieldReader in) {
    int told = 0;
    long due = 0;
    int attempts = 0;
    long since = 0;
    String error = null;
    List<Aside> aside = List.of();
    List<WebhookAttempt> history = List.of();
    in.begin();
    for (String name = in.next(); name != null; name = in.next()) {
      switch (name) {
        case "told" -> told = in.count();
        case "due" -> due = in.whole();
        case "attempts" -> attempts = in.count();
        case "since" -> since = in.whole();
        case "error" -> error = in.text();
        case "aside" -> aside = in.list(() -> aside(in));
        case "history" -> history = in.list(() -> attempt(in));
        default -> in.skip();
      }
    }
    return new Progress(told, due, attempts, since, error, aside, history);
  }

  private static Aside aside(MongoFieldReader in) {
    int sequence = 0;
    int attempts = 0;
    String error = null;
    long at = 0;
    in.begin();
    for (String name = in.next(); name != null; name = in.next()) {
      switch (name) {
        case "sequence" -> sequence = in.count();
        case "attempts" -> attempts = in.count();
        case "error" -> error = in.text();
        case "at" -> at = in.whole();
        default -> in.skip();
      }
    }
    return new Aside(sequence, attempts, error, at);
  }

  private static WebhookAttempt attempt(MongoFieldReader in) {
    int sequence = 0;
    long at = 0;
    int status = 0;
    long latency = 0;
    String error = null;
    in.begin();
    for (String name = in.next(); name != null; name = in.next()) {
      switch (name) {
        case "sequence" -> sequence = in.count();
        case "at" -> at = in.whole();
        case "status" -> status = in.count();
        case "latencyMillis" -> latency = in.whole();
        case "error" -> error = in.text();
        default -> in.skip();
      }
    }
    return new WebhookAttempt(sequence, at, status, latency, error);
  }
}
