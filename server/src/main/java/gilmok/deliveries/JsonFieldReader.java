package gilmok.deliveries;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads a JSON document. Not thread-safe.
 *
 * @param in positioned at the document's beginning
 */
record JsonFieldReader(JsonParser in) implements FieldReader {
  @Override
  public void begin() {}

  @Override
  public @Nullable String next() {
    String name = in.nextName();
    if (name != null) {
      in.nextToken();
    }
    return name;
  }

  @Override
  public String text() {
    return in.getString();
  }

  @Override
  public long whole() {
    return in.getLongValue();
  }

  @Override
  public int count() {
    return in.getIntValue();
  }

  @Override
  public double number() {
    return in.getDoubleValue();
  }

  @Override
  public boolean flag() {
    return in.getBooleanValue();
  }

  @Override
  public void skip() {
    in.skipChildren();
  }

  @Override
  public <T> List<T> list(Supplier<T> one) {
    List<T> all = new ArrayList<>();
    while (in.nextToken() == JsonToken.START_OBJECT) {
      all.add(one.get());
    }
    return all;
  }
}
