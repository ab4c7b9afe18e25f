package gilmok.history;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where a page of an answer ended. It knows what was asked, so that one of another question is not
 * taken for it. Immutable.
 *
 * @param question a hash of all that was asked beside the time and the limit
 * @param rider whose record was the last one
 * @param last its place
 */
record PageCursor(int question, long fromMillis, long untilMillis, String rider, Place last) {
  private static final int FIXED_BYTES = 4 + 5 * Long.BYTES;
  private static final int CHARS_MAX = 1000;
  private static final long TIME_MAX = 1L << 48;

  /** As a text that {@link #of} reads. */
  String text() {
    byte[] utf8 = rider.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + utf8.length);
    bytes.putInt(question).putLong(fromMillis).putLong(untilMillis);
    bytes.putLong(last.atMillis()).putLong(last.keyHigh()).putLong(last.keyLow()).put(utf8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /** Reads a cursor of a question; null when the text is none, or is another question's. */
  static @Nullable PageCursor of(String text, int question) {
    if (text.length() > CHARS_MAX) {
      return null;
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
      if (bytes.getInt() != question) {
        return null;
      }
      long from = bytes.getLong();
      long until = bytes.getLong();
      Place last = new Place(bytes.getLong(), bytes.getLong(), bytes.getLong());
      String rider = StandardCharsets.UTF_8.decode(bytes).toString();
      boolean isSound =
          from >= 0 && last.atMillis() >= from && last.atMillis() < until && until < TIME_MAX;
      return isSound ? new PageCursor(question, from, until, rider, last) : null;
    } catch (IllegalArgumentException | BufferUnderflowException none) {
      return null;
    }
  }
}
