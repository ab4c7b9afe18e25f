package gilmok.lab.tiles;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The bytes of a Protocol Buffers message, field by field. Not thread-safe. */
final class ProtobufMessage {
  private static final int MORE = 0x80;
  private static final int LOW = 0x7f;
  private static final int WITH_LENGTH = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A bare number, seven bits a byte. */
  ProtobufMessage number(long value) {
    long left = value;
    while ((left & ~LOW) != 0) {
      out.write((int) ((left & LOW) | MORE));
      left >>>= 7;
    }
    out.write((int) left);
    return this;
  }

  ProtobufMessage field(int number, long value) {
    return number((long) number << 3).number(value);
  }

  ProtobufMessage field(int number, byte[] bytes) {
    number((long) number << 3 | WITH_LENGTH).number(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  ProtobufMessage field(int number, String text) {
    return field(number, text.getBytes(StandardCharsets.UTF_8));
  }

  byte[] bytes() {
    return out.toByteArray();
  }
}
