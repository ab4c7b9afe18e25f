package gilmok.deliveries;

import gilmok.documents.MongoBson;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * Reads a BSON document. Not thread-safe.
 *
 * @param in positioned at the document's beginning
 */
record MongoFieldReader(BsonReader in) implements FieldReader {
  @Override
  public void begin() {
    in.readStartDocument();
  }

  @Override
  public @Nullable String next() {
    if (in.readBsonType() != BsonType.END_OF_DOCUMENT) {
      return in.readName();
    }
    in.readEndDocument();
    return null;
  }

  @Override
  public String text() {
    return in.readString();
  }

  @Override
  public long whole() {
    return MongoBson.whole(in);
  }

  @Override
  public int count() {
    return (int) MongoBson.whole(in);
  }

  @Override
  public double number() {
    return MongoBson.number(in);
  }

  @Override
  public boolean flag() {
    return in.readBoolean();
  }

  @Override
  public void skip() {
    in.skipValue();
  }

  @Override
  public <T> List<T> list(Supplier<T> one) {
    List<T> all = new ArrayList<>();
    in.readStartArray();
    while (in.readBsonType() != BsonType.END_OF_DOCUMENT) {
      all.add(one.get());
    }
    in.readEndArray();
    return all;
  }
}
