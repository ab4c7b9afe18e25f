package gilmok.deliveries;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document field by field: JSON in SQLite, BSON in MongoDB. After each name, exactly one
 * call reads or skips its value. Not thread-safe: one instance for each document.
 */
interface FieldReader {
  /** Enters the document at the current position. */
  void begin();

  /** The next field's name; null at the end of the document, which is then left. */
  @Nullable String next();

  String text();

  long whole();

  int count();

  double number();

  boolean flag();

  /** Skips a value. */
  void skip();

  /** Reads an array of documents; {@code one} is called to read each. */
  <T> List<T> list(Supplier<T> one);
}
