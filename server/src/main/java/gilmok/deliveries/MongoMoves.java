package gilmok.deliveries;

import static gilmok.deliveries.MongoDeliveryCodec.deliveries;
import static gilmok.documents.MongoBson.text;

import gilmok.auth.Binding;
import gilmok.documents.MongoBson;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Moves as one question to MongoDB: a filter that matches only deliveries to which {@link
 * Lifecycle} allows the move, and the update that is then its outcome. The filter may leave out
 * what would be allowed, never the reverse: what it does not match is read and decided. From any
 * thread.
 */
final class MongoMoves {
  private MongoMoves() {}

  /**
   * What a delivery has to be for the move; null when the move has to be decided on the delivery.
   *
   * <p>Nothing waits in it, as that might happen too; and it has room for an event, of which there
   * are never more than revisions.
   */
  static @Nullable RawBsonDocument filter(String id, Move move) {
    Binding binding = move.binding();
    if (binding != null && !mayEver(binding.kind(), move.step())) {
      return null;
    }
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", id);
          MongoBson.in(writer, "status", move.step().sources().stream().map(Status::name).toList());
          MongoBson.exists(writer, "waiting", false);
          MongoBson.compare(writer, "revision", "$lt", Delivery.EVENTS_MAX);
          if (binding != null) {
            part(writer, binding, move);
          }
          Integer version = move.ifVersion();
          if (version != null) {
            writer.writeInt32("version", version);
          }
          String source = move.source();
          if (source != null) {
            MongoBson.document(writer, "events.source", not -> not.writeString("$ne", source));
          }
        });
  }

  /** Whether somebody bound like this may ever do so. */
  private static boolean mayEver(Binding.Kind kind, Step step) {
    return switch (kind) {
      case RIDER -> step.isRiders();
      case SHOP -> step == Step.CANCEL;
      case AGENCY -> step != Step.CANCEL;
    };
  }

  private static void part(BsonWriter writer, Binding binding, Move move) {
    switch (binding.kind()) {
      case RIDER -> writer.writeString("riderId", binding.id());
      case SHOP -> writer.writeString("shopId", binding.id());
      case AGENCY -> {
        writer.writeStartDocument("agencyId");
        writer.writeStartArray("$in");
        writer.writeString(binding.id());
        if (move.step() == Step.ACCEPT && binding.id().equals(move.agencyId())) {
          writer.writeNull(); // nobody's: it may take it, for itself
        }
        writer.writeEndArray();
        writer.writeEndDocument();
      }
    }
  }

  /** What the move changes in a delivery that the filter has matched. */
  static RawBsonDocument update(Move move, long nowMillis) {
    DeliveryEvent event = DeliveryEvent.of(move, 0, nowMillis, move.riderId(), false);
    return MongoBson.document(
        writer -> {
          writer.writeStartDocument("$set");
          set(writer, move, nowMillis);
          writer.writeEndDocument();
          if (move.step() == Step.UNASSIGN
              || (move.step() == Step.ASSIGN && move.riderId() == null)) {
            MongoBson.document(writer, "$unset", to -> to.writeString("riderId", ""));
          }
          writer.writeStartDocument("$inc");
          writer.writeInt32("version", 1);
          writer.writeInt64("revision", 1);
          writer.writeEndDocument();
          writer.writeStartDocument("$push");
          MongoBson.document(writer, "events", _ -> deliveries(writer).event(event));
          writer.writeEndDocument();
          due(writer, nowMillis);
        });
  }

  private static void set(BsonWriter writer, Move move, long nowMillis) {
    Status target = move.step().target();
    writer.writeString("status", target.name());
    writer.writeInt64("updatedAt", nowMillis);
    switch (move.step()) {
      case ACCEPT -> text(writer, "agencyId", move.agencyId());
      case ASSIGN -> text(writer, "riderId", move.riderId());
      case COMPLETE -> deliveries(writer).proof(move.proof());
      case CREATE, UNASSIGN, PICK_UP, DECLINE, CANCEL, FAIL -> {}
    }
    if (target.isEnd()) {
      text(writer, "reason", move.reason());
    }
  }

  /**
   * Something is due for every reader: from now on, or from when it was due before. A reader that
   * waits to try again has a time below all others, and keeps it.
   */
  private static void due(BsonWriter writer, long nowMillis) {
    writer.writeStartDocument("$min");
    for (Outbox.Reader reader : Outbox.Reader.values()) {
      writer.writeInt64("out." + MongoDeliveryCodec.field(reader) + ".due", nowMillis);
    }
    writer.writeEndDocument();
  }

  /** The delivery, if nobody has changed it since it was read. */
  static RawBsonDocument unchanged(MongoDelivery read) {
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", read.delivery().id());
          writer.writeInt64("revision", read.revision());
        });
  }

  /** All that has changed between two states of a delivery, of which the first was read. */
  static RawBsonDocument update(Delivery before, Delivery next, long nowMillis) {
    return MongoBson.document(
        writer -> {
          writer.writeStartDocument("$set");
          deliveries(writer).state(next);
          deliveries(writer).history(next);
          writer.writeEndDocument();
          boolean leavesRider = before.riderId() != null && next.riderId() == null;
          boolean leavesWaiting = !before.waiting().isEmpty() && next.waiting().isEmpty();
          if (leavesRider || leavesWaiting) {
            writer.writeStartDocument("$unset");
            text(writer, "riderId", leavesRider ? "" : null);
            text(writer, "waiting", leavesWaiting ? "" : null);
            writer.writeEndDocument();
          }
          long more = (long) next.events().size() - before.events().size();
          MongoBson.document(writer, "$inc", to -> to.writeInt64("revision", Math.max(1, more)));
          if (next.version() > before.version()) {
            due(writer, nowMillis);
          }
        });
  }
}
