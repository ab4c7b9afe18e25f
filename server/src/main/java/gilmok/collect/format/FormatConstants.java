package gilmok.collect.format;

import gilmok.event.Attributes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** The attributes that a format gives each record, ready to be written. Immutable. */
final class FormatConstants {
  private final byte[][] names;
  private final byte[][] values;

  /**
   * @param constants the values by name, as JSON
   */
  FormatConstants(Map<String, String> constants) {
    names = constants.keySet().stream().map(FormatConstants::utf8).toArray(byte[][]::new);
    values = constants.values().stream().map(FormatConstants::utf8).toArray(byte[][]::new);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether one has the name; it counts in place of a member of that name. */
  boolean hasName(byte[] bytes, int offset, int length) {
    for (byte[] name : names) {
      if (Arrays.equals(name, 0, name.length, bytes, offset, offset + length)) {
        return true;
      }
    }
    return false;
  }

  /** Adds all to the attributes of a record. */
  void write(Attributes attributes) {
    for (int i = 0; i < names.length; i++) {
      attributes.member(false, names[i], 0, names[i].length).raw(values[i], 0, values[i].length);
    }
  }
}
