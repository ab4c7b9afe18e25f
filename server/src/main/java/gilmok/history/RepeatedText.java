package gilmok.history;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Texts that are mostly the one before: many positions share one, and its memory. Not thread-safe:
 * one thread at a time has the question.
 */
final class RepeatedText {
  private byte[] utf8 = {};
  private String text = "";

  /** The text of these bytes. */
  String of(byte[] bytes, int offset, int length) {
    if (!Arrays.equals(utf8, 0, utf8.length, bytes, offset, offset + length)) {
      utf8 = Arrays.copyOfRange(bytes, offset, offset + length);
      text = new String(utf8, StandardCharsets.UTF_8);
    }
    return text;
  }
}
