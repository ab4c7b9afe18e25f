package gilmok.deliveries;

import static gilmok.deliveries.MongoDeliveryCodec.deliveries;
import static gilmok.documents.MongoBson.text;

import gilmok.auth.Binding;
import gilmok.documents.MongoBson;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A move as one update of MongoDB. Its filter matches only deliveries for which {@link Lifecycle}
 * allows the move, and its update is then the outcome. The filter may miss deliveries that would be
 * allowed, never match others; a delivery that it misses is read and decided on. Thread-safe.
 */
final class MongoMoves {
  private MongoMoves() {}

  /**
   * The filter for a move; null when the move must be decided on the delivery that was read.
   *
   * <p>It matches only deliveries without waiting actions, as those might happen too, and with room
   * for an event. The revision bounds the number of events from above.
   */
  static @Nullable RawBsonDocument filter(String id, Move move) {
    Binding binding = move.binding();
    if ((binding != null && !mayEver(binding, move))
        || !move.isNotAhead()
        || IdempotencyKey.isSource(move.source())) { // its key may be there with another body
      return null;
    }
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", id);
          MongoBson.in(writer, "status", move.step().sources().stream().map(Status::name).toList());
          MongoBson.exists(writer, "waiting", false);
          MongoBson.compare(writer, "createdAt", "$lte", move.atMillis() + Move.CLOCK_MILLIS);
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

  /** Whether a key that is bound so may ever make this move. */
  private static boolean mayEver(Binding binding, Move move) {
    return switch (binding.kind()) {
      case RIDER -> move.step().isRiders();
      case SHOP -> move.step() == Step.CANCEL;
      case AGENCY ->
          move.step() != Step.CANCEL
              && (move.agencyId() == null || move.agencyId().equals(binding.id()));
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
          writer.writeNull(); // without an agency: this one may accept it, for itself
        }
        writer.writeEndArray();
        writer.writeEndDocument();
      }
    }
  }

  /** The update of a delivery that the filter has matched. */
  static RawBsonDocument update(Move move, long nowMillis) {
    // The filter has matched, so the time is one that can be.
    DeliveryEvent event =
        DeliveryEvent.of(move, move.atMillis(), 0, nowMillis, move.riderId(), false);
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
   * Makes the delivery due for every reader: from now on, or since it was due before. A reader
   * whose retry waits has a lower value and keeps it.
   */
  private static void due(BsonWriter writer, long nowMillis) {
    writer.writeStartDocument("$min");
    for (OutboxReader reader : OutboxReader.values()) {
      writer.writeInt64("out." + MongoDeliveryCodec.field(reader) + ".due", nowMillis);
    }
    writer.writeEndDocument();
  }

  /** The filter for the delivery if it has not changed since it was read. */
  static RawBsonDocument unchanged(MongoDelivery read) {
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", read.delivery().id());
          writer.writeInt64("revision", read.revision());
        });
  }

  /** The update from one state of a delivery, which was read, to the next. */
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
