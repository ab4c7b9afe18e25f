package gilmok.deliveries;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A document that is being read, one field after another: JSON in SQLite, BSON in MongoDB. Each
 * name is followed by one call for its value. Not thread-safe: one for each document.
 */
interface FieldReader {
  /** Enters the document that stands here. */
  void begin();

  /** The next field's name; null at the document's end, which is then left. */
  @Nullable String next();

  String text();

  long whole();

  int count();

  double number();

  boolean flag();

  /** Passes over a value. */
  void skip();

  /** The documents of an array, each read by one call. */
  <T> List<T> list(Supplier<T> one);
}
