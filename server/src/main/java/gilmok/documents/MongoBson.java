package gilmok.documents;

import java.util.function.Consumer;
import org.bson.BsonBinaryWriter;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads BSON field by field: filters, updates and documents are encoded once, without an
 * object for each field. Null values are left out. Thread-safe.
 */
public final class MongoBson {
  private static final int BYTES = 512;

  private MongoBson() {}

  /** The document that {@code content} writes. */
  public static RawBsonDocument document(Consumer<BsonWriter> content) {
    BasicOutputBuffer buffer = new BasicOutputBuffer(BYTES);
    try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      writer.writeStartDocument();
      content.accept(writer);
      writer.writeEndDocument();
    }
    return new RawBsonDocument(buffer.getInternalBuffer(), 0, buffer.getPosition());
  }

  /** Writes a document as a field's value. */
  public static void document(BsonWriter writer, String name, Consumer<BsonWriter> content) {
    writer.writeStartDocument(name);
    content.accept(writer);
    writer.writeEndDocument();
  }

  /** The filter for the document of that id. */
  public static RawBsonDocument byId(String id) {
    return document(writer -> writer.writeString("_id", id));
  }

  /** The filter for the documents of those ids. */
  public static RawBsonDocument byIds(Iterable<String> ids) {
    return document(writer -> in(writer, "_id", ids));
  }

  /** The filter for the documents whose ids sort after that one. */
  public static RawBsonDocument after(String id) {
    return document(writer -> document(writer, "_id", range -> range.writeString("$gt", id)));
  }

  /** Writes {@code name: {$in: [values]}}. */
  public static void in(BsonWriter writer, String name, Iterable<String> values) {
    writer.writeStartDocument(name);
    writer.writeStartArray("$in");
    values.forEach(writer::writeString);
    writer.writeEndArray();
    writer.writeEndDocument();
  }

  /** Writes a text, unless it is null. */
  public static void text(BsonWriter writer, String name, @Nullable String value) {
    if (value != null) {
      writer.writeString(name, value);
    }
  }

  /** Writes {@code name: {operator: value}}. */
  public static void compare(BsonWriter writer, String name, String operator, long value) {
    writer.writeStartDocument(name);
    writer.writeInt64(operator, value);
    writer.writeEndDocument();
  }

  /** Writes {@code name: {$exists: is}}. */
  public static void exists(BsonWriter writer, String name, boolean is) {
    writer.writeStartDocument(name);
    writer.writeBoolean("$exists", is);
    writer.writeEndDocument();
  }

  /** Reads an integer, from any numeric type it was stored as. */
  public static long whole(BsonReader reader) {
    BsonType type = reader.getCurrentBsonType();
    return switch (type) {
      case INT64 -> reader.readInt64();
      case INT32 -> reader.readInt32();
      case DOUBLE -> (long) reader.readDouble();
      default -> throw new IllegalStateException("a number is stored as " + type);
    };
  }

  /** Reads a number, from any numeric type it was stored as. */
  public static double number(BsonReader reader) {
    BsonType type = reader.getCurrentBsonType();
    return switch (type) {
      case DOUBLE -> reader.readDouble();
      case INT64 -> reader.readInt64();
      case INT32 -> reader.readInt32();
      default -> throw new IllegalStateException("a number is stored as " + type);
    };
  }
}
