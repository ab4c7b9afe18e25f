package gilmok.deliveries;

import gilmok.event.JsonBuffer;
import org.jspecify.annotations.Nullable;

/** Writes JSON. Not thread-safe: it reuses its buffer. */
final class JsonFieldWriter implements FieldWriter {
  private final JsonBuffer out = new JsonBuffer();
  private boolean isFirst = true;

  /** Empties the buffer for the next document. */
  void clear() {
    out.clear();
    isFirst = true;
  }

  /** A copy of the JSON written so far. */
  byte[] bytes() {
    return out.copy();
  }

  @Override
  public void begin() {
    if (!isFirst) {
      out.put(',');
    }
    open('{');
  }

  @Override
  public void begin(String name) {
    name(name);
    open('{');
  }

  @Override
  public void end() {
    close('}');
  }

  @Override
  public void beginList(String name) {
    name(name);
    open('[');
  }

  @Override
  public void endList() {
    close(']');
  }

  @Override
  public void text(String name, @Nullable String value) {
    if (value != null) {
      name(name);
      out.string(value);
    }
  }

  @Override
  public void whole(String name, long value) {
    name(name);
    out.number(value);
  }

  @Override
  public void count(String name, int value) {
    whole(name, value);
  }

  @Override
  public void number(String name, double value) {
    name(name);
    out.number(value);
  }

  @Override
  public void flag(String name, boolean value) {
    name(name);
    out.ascii(value ? "true" : "false");
  }

  private void open(char token) {
    out.put(token);
    isFirst = true;
  }

  private void close(char token) {
    out.put(token);
    isFirst = false;
  }

  private void name(String name) {
    if (!isFirst) {
      out.put(',');
    }
    isFirst = false;
    out.put('"').ascii(name).ascii("\":");
  }
}
