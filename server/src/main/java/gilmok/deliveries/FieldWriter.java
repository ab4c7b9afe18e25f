package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * Writes a document field by field: JSON in SQLite, BSON in MongoDB. Null values are left out. Not
 * thread-safe.
 */
interface FieldWriter {
  /** Begins a document: the root, or an element of an array. */
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
