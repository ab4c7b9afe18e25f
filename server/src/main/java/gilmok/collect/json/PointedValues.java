package gilmok.collect.json;

import gilmok.event.Decimal;
import gilmok.event.JsonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a {@link PointerReader} finds: the values that pointers name, by the pointers'
 * numbers, and the members of records that no pointer names.
 */
public interface PointedValues {
  /**
   * A text.
   *
   * @param isPlain whether it is printable ASCII in the upload's own bytes, which stay as they are
   *     until the upload has been read
   */
  void text(int number, byte[] bytes, int offset, int length, boolean isPlain);

  /**
   * A number, which is also at {@code offset} as it was spelled, in the upload's own bytes.
   *
   * @param decimal valid until this returns
   */
  void number(int number, Decimal decimal, byte[] bytes, int offset, int length);

  /**
   * Any other value: true, false, an array, an object.
   *
   * @return where to write it in its shortest form; null for nowhere
   */
  @Nullable JsonBuffer other(int number);

  /** A text that cannot be kept, for that reason. */
  void unusable(int number, String reason);

  /**
   * A member of a record that no pointer names.
   *
   * @param name in UTF-8, with the names that lead to it in front, joined by points
   * @return where to write its value in its shortest form; null for nowhere
   */
  @Nullable JsonBuffer member(byte[] name, int offset, int length);

  /** A record begins. */
  void begin(int index);

  /**
   * A record has been read.
   *
   * @param start where in the upload's bytes it starts
   * @param end where it ends
   * @param fault why a member that no pointer names cannot be kept; null when all can
   */
  void end(int index, int start, int end, @Nullable String fault);

  /** Whether no more records are wanted: the rest of the upload becomes one reject. */
  default boolean isFull() {
    return false;
  }

  /** Something is in the place of a record that is none. */
  void reject(int index, int start, int end, String reason);
}
