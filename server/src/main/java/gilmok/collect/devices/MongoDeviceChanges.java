package gilmok.collect.devices;

import static gilmok.collect.devices.MongoDeviceCodec.CHANGED;
import static gilmok.collect.devices.MongoDeviceCodec.COMMANDS;
import static gilmok.collect.devices.MongoDeviceCodec.ENDED;
import static gilmok.collect.devices.MongoDeviceCodec.GROUP;
import static gilmok.collect.devices.MongoDeviceCodec.HELD;
import static gilmok.collect.devices.MongoDeviceCodec.ID;
import static gilmok.collect.devices.MongoDeviceCodec.RIDER;
import static gilmok.collect.devices.MongoDeviceCodec.VERSION;
import static gilmok.documents.MongoBson.document;

import gilmok.documents.MongoBson;
import java.util.function.Consumer;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** The updates of {@link MongoDevices}, and the filters on which they depend. */
final class MongoDeviceChanges {
  private MongoDeviceChanges() {}

  /** The update that changes a device, and with it its version and its time. */
  private static RawBsonDocument update(Consumer<BsonWriter> content) {
    return document(
        writer -> {
          content.accept(writer);
          document(writer, "$inc", more -> more.writeInt64(VERSION, 1));
          document(writer, "$currentDate", now -> now.writeBoolean(CHANGED, true));
        });
  }

  /** The update that adds an empty document where there is none. */
  static RawBsonDocument first(long nowMillis) {
    return document(
        writer -> document(writer, "$setOnInsert", to -> to.writeInt64(VERSION, nowMillis)));
  }

  /** The filter for a device that has not changed since it was read. */
  static RawBsonDocument unchanged(Device read) {
    return document(
        filter -> {
          filter.writeString(ID, read.id());
          filter.writeInt64(VERSION, read.version());
        });
  }

  static RawBsonDocument tie(String rider, @Nullable String group) {
    return update(
        writer -> {
          document(
              writer,
              "$set",
              to -> {
                to.writeString(RIDER, rider);
                MongoBson.text(to, GROUP, group);
              });
          if (group == null) {
            document(writer, "$unset", from -> from.writeString(GROUP, ""));
          }
        });
  }

  static RawBsonDocument untie() {
    return update(
        writer ->
            document(
                writer,
                "$unset",
                from -> {
                  from.writeString(RIDER, "");
                  from.writeString(GROUP, "");
                  from.writeString(COMMANDS, "");
                  from.writeString(HELD, "");
                }));
  }

  /** The filter for a device for which fewer commands wait. */
  static RawBsonDocument withRoom(String id, int max) {
    return document(
        filter -> {
          filter.writeString(ID, id);
          MongoBson.exists(filter, COMMANDS + "." + (max - 1), false);
        });
  }

  static RawBsonDocument tell(Device.Waiting command) {
    return update(
        writer ->
            document(
                writer,
                "$push",
                more -> {
                  more.writeName(COMMANDS);
                  MongoDeviceCodec.write(more, command);
                }));
  }

  /** The filter for a device for which that command waits. */
  static RawBsonDocument ofCommand(String id, String commandId) {
    return document(filter -> waits(filter, id, commandId));
  }

  private static void waits(BsonWriter filter, String id, String commandId) {
    filter.writeString(ID, id);
    filter.writeString(COMMANDS + ".id", commandId);
  }

  /** The filter for a device for which that command waits, and is not held by anybody. */
  static RawBsonDocument free(String id, String commandId, long nowMillis) {
    return document(
        filter -> {
          waits(filter, id, commandId);
          filter.writeStartArray("$or");
          filter.writeStartDocument();
          MongoBson.exists(filter, held(commandId), false);
          filter.writeEndDocument();
          filter.writeStartDocument();
          MongoBson.compare(filter, held(commandId), "$lte", nowMillis);
          filter.writeEndDocument();
          filter.writeEndArray();
        });
  }

  static RawBsonDocument hold(String commandId, long untilMillis) {
    return update(
        writer -> document(writer, "$set", set -> set.writeInt64(held(commandId), untilMillis)));
  }

  private static String held(String commandId) {
    return HELD + "." + commandId;
  }

  static RawBsonDocument end(Device.Ended ended) {
    return update(
        writer -> {
          document(
              writer,
              "$pull",
              from -> document(from, COMMANDS, which -> which.writeString("id", ended.id())));
          document(writer, "$unset", from -> from.writeString(held(ended.id()), ""));
          writer.writeStartDocument("$push");
          writer.writeStartDocument(ENDED);
          writer.writeStartArray("$each");
          MongoDeviceCodec.write(writer, ended);
          writer.writeEndArray();
          writer.writeInt32("$slice", -Device.ENDED_MAX);
          writer.writeEndDocument();
          writer.writeEndDocument();
        });
  }

  /** The filter for the place of a device that is brought, as long as nothing is there. */
  static RawBsonDocument open(Device brought) {
    return document(
        filter -> {
          filter.writeString(ID, brought.id());
          MongoBson.exists(filter, RIDER, false);
          if (!brought.waiting().isEmpty()) {
            MongoBson.exists(filter, COMMANDS + ".0", false);
          }
        });
  }

  static RawBsonDocument fill(Device brought) {
    return update(
        writer ->
            document(
                writer,
                "$set",
                to -> {
                  MongoBson.text(to, RIDER, brought.riderId());
                  MongoBson.text(to, GROUP, brought.group());
                  if (!brought.waiting().isEmpty()) {
                    to.writeStartArray(COMMANDS);
                    brought.waiting().forEach(one -> MongoDeviceCodec.write(to, one));
                    to.writeEndArray();
                  }
                }));
  }
}
