package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import gilmok.documents.MongoBson;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/** A device as a document. What a field is, {@link MongoDevices} says. */
final class MongoDeviceCodec {
  static final String ID = "_id";
  static final String RIDER = "riderId";
  static final String GROUP = "group";
  static final String COMMANDS = "commands";
  static final String HELD = "held";
  static final String ENDED = "ended";
  static final String VERSION = "version";
  static final String CHANGED = "changedAt";

  /** What a command's id looks like; it is also a field's name in {@link #HELD}. */
  private static final Pattern COMMAND_ID = Pattern.compile("[0-9a-f]{1,16}");

  private static final BsonInt64 ZERO = new BsonInt64(0);

  private MongoDeviceCodec() {}

  static String id(BsonDocument document) {
    BsonValue id = document.get(ID);
    return id != null && id.isString() ? id.asString().getValue() : String.valueOf(id);
  }

  /** When it was changed last, by the database's clock; 0 if nobody knows. */
  static long changedMillis(BsonDocument document) {
    return document.getDateTime(CHANGED, new BsonDateTime(0)).getValue();
  }

  /**
   * Reads a device. Commands of a kind that another version knows are left out.
   *
   * @throws RuntimeException when somebody has written something else there
   */
  static Device device(BsonDocument document) {
    BsonDocument held = document.getDocument(HELD, new BsonDocument());
    List<Device.Waiting> waiting = new ArrayList<>();
    for (BsonValue one : document.getArray(COMMANDS, new BsonArray())) {
      BsonDocument command = one.asDocument();
      String id = command.getString("id").getValue();
      PhoneCommand.Type type = PhoneCommand.Type.of(text(command, "type"));
      if (type != null && COMMAND_ID.matcher(id).matches()) {
        waiting.add(
            new Device.Waiting(
                new PhoneCommand(id, type, text(command, "settings"), text(command, "text")),
                command.getNumber("since", ZERO).longValue(),
                held.getNumber(id, ZERO).longValue()));
      }
    }
    String id = document.getString(ID).getValue();
    return new Device(
        id,
        text(document, RIDER),
        text(document, GROUP),
        null,
        0,
        List.copyOf(waiting),
        ended(document),
        document.getNumber(VERSION, ZERO).longValue());
  }

  private static List<Device.Ended> ended(BsonDocument document) {
    List<Device.Ended> all = new ArrayList<>();
    for (BsonValue one : document.getArray(ENDED, new BsonArray())) {
      BsonDocument ended = one.asDocument();
      PhoneCommand.Type type = PhoneCommand.Type.of(text(ended, "type"));
      Device.End end = end(text(ended, "end"));
      if (type != null && end != null) {
        all.add(
            new Device.Ended(
                ended.getString("id").getValue(),
                type,
                end,
                ended.getNumber("at", ZERO).longValue()));
      }
    }
    return List.copyOf(all);
  }

  private static Device.@Nullable End end(@Nullable String label) {
    for (Device.End end : Device.End.values()) {
      if (end.label().equals(label)) {
        return end;
      }
    }
    return null;
  }

  private static @Nullable String text(BsonDocument document, String name) {
    BsonValue value = document.get(name);
    return value == null ? null : value.asString().getValue();
  }

  /** Writes a command as an element of an array. */
  static void write(BsonWriter writer, Device.Waiting waiting) {
    PhoneCommand command = waiting.command();
    writer.writeStartDocument();
    writer.writeString("id", command.id());
    writer.writeString("type", command.type().label());
    MongoBson.text(writer, "settings", command.settings());
    MongoBson.text(writer, "text", command.text());
    writer.writeInt64("since", waiting.sinceMillis());
    writer.writeEndDocument();
  }

  /** Writes what became of a command as an element of an array. */
  static void write(BsonWriter writer, Device.Ended ended) {
    writer.writeStartDocument();
    writer.writeString("id", ended.id());
    writer.writeString("type", ended.type().label());
    writer.writeString("end", ended.end().label());
    writer.writeInt64("at", ended.atMillis());
    writer.writeEndDocument();
  }
}
