package gilmok.deliveries;

import gilmok.documents.MongoBson;
import org.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes BSON. Not thread-safe.
 *
 * @param out positioned where the document goes
 */
record MongoFieldWriter(BsonWriter out) implements FieldWriter {
  @Override
  public void begin() {
    out.writeStartDocument();
  }

  @Override
  public void begin(String name) {
    out.writeStartDocument(name);
  }

  @Override
  public void end() {
    out.writeEndDocument();
  }

  @Override
  public void beginList(String name) {
    out.writeStartArray(name);
  }

  @Override
  public void endList() {
    out.writeEndArray();
  }

  @Override
  public void text(String name, @Nullable String value) {
    MongoBson.text(out, name, value);
  }

  @Override
  public void whole(String name, long value) {
    out.writeInt64(name, value);
  }

  @Override
  public void count(String name, int value) {
    out.writeInt32(name, value);
  }

  @Override
  public void number(String name, double value) {
    out.writeDouble(name, value);
  }

  @Override
  public void flag(String name, boolean value) {
    out.writeBoolean(name, value);
  }
}
