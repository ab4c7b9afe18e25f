package gilmok.lab.statements;

import java.nio.ByteBuffer;

/** Finds the fields of a BSON document. Stateless. */
final class Bson {
  static final byte DOUBLE = 1;
  static final byte STRING = 2;
  static final byte DOCUMENT = 3;
  static final byte INT32 = 16;
  static final byte INT64 = 18;

  private Bson() {}

  /** The offset of the 0 that ends the name of the field at an offset. */
  static int nameEnd(ByteBuffer bytes, int field) {
    return textEnd(bytes, field + 1);
  }

  /**
   * The offset of the field after the one at an offset.
   *
   * @throws IllegalArgumentException for a type that commands and responses do not have
   */
  static int next(ByteBuffer bytes, int field) {
    int value = nameEnd(bytes, field) + 1;
    return switch (bytes.get(field)) {
      case DOUBLE, 9, 17, INT64 -> value + 8;
      case STRING, 13, 14 -> value + 4 + bytes.getInt(value);
      case DOCUMENT, 4, 15 -> value + bytes.getInt(value);
      case 5 -> value + 5 + bytes.getInt(value);
      case 6, 10, -1, 127 -> value;
      case 7 -> value + 12;
      case 8 -> value + 1;
      case 11 -> textEnd(bytes, textEnd(bytes, value) + 1) + 1;
      case 12 -> value + 4 + bytes.getInt(value) + 12;
      case INT32 -> value + 4;
      case 19 -> value + 16;
      default -> throw new IllegalArgumentException("BSON type " + bytes.get(field));
    };
  }

  private static int textEnd(ByteBuffer bytes, int from) {
    int end = from;
    while (bytes.get(end) != 0) {
      end++;
    }
    return end;
  }
}
