package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * A document that is being written, one field after another: JSON in SQLite, BSON in MongoDB. What
 * is null is not written. Not thread-safe.
 */
interface FieldWriter {
  /** Begins a document: the whole, or one of an array. */
  void begin();

  /** Begins a document that is a field's value. */
  void begin(String name);

  void end();

  /** Begins an array that is a field's value. */
  void beginList(String name);

  void endList();

  void text(String name, @Nullable String value);

  void whole(String name, long value);

  void count(String name, int value);

  void number(String name, double value);

  void flag(String name, boolean value);

  default void optional(String name, @Nullable Long value) {
    if (value != null) {
      whole(name, value);
    }
  }

  default void optional(String name, @Nullable Double value) {
    if (value != null) {
      number(name, value);
    }
  }
}
