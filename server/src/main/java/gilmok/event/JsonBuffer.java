package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A growing byte buffer to which JSON is written, token by token; the caller writes the commas.
 *
 * <p>Not thread-safe: reused by the thread that writes.
 */
public final class JsonBuffer {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int KEPT_BYTES_MAX = 1 << 20;

  private final int bytesMax;
  private byte[] bytes = new byte[256];
  private int size;
  private boolean overflown;

  /** A buffer that may grow to the size of an array. */
  public JsonBuffer() {
    this(Integer.MAX_VALUE - 64);
  }

  /**
   * A buffer of at most {@code bytesMax} bytes; a token that does not fit only sets {@link
   * #isOverflown}.
   */
  JsonBuffer(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Removes all bytes. */
  public void clear() {
    size = 0;
    overflown = false;
    if (bytes.length > KEPT_BYTES_MAX) {
      bytes = new byte[256];
    }
  }

  /** Replaces the content by that of another buffer, also beyond its own limit. */
  void become(JsonBuffer other) {
    if (bytes.length < other.size) {
      bytes = new byte[other.size];
    }
    System.arraycopy(other.bytes, 0, bytes, 0, other.size);
    size = other.size;
  }

  /** The bytes written, from 0 to {@link #size}. */
  public byte[] bytes() {
    return bytes;
  }

  /** The bytes written, copied. */
  public byte[] copy() {
    return Arrays.copyOf(bytes, size);
  }

  /** How many bytes were written. */
  public int size() {
    return size;
  }

  /** Whether a token did not fit. */
  boolean isOverflown() {
    return overflown;
  }

  /** Writes one byte, such as a brace. */
  public JsonBuffer put(char token) {
    if (room(1)) {
      bytes[size++] = (byte) token;
    }
    return this;
  }

  /** Writes ASCII as it is: names with their quotation marks and colons, or literals. */
  @SuppressWarnings("deprecation") // the one way to get ASCII out of a String without an array
  public JsonBuffer ascii(String text) {
    int length = text.length();
    if (room(length)) {
      text.getBytes(0, length, bytes, size);
      size += length;
    }
    return this;
  }

  /** Writes bytes as they are. */
  public JsonBuffer raw(byte[] source, int offset, int length) {
    if (room(length)) {
      System.arraycopy(source, offset, bytes, size, length);
      size += length;
    }
    return this;
  }

  /** Writes a string in quotation marks, from valid UTF-8. Escapes only where JSON requires it. */
  public JsonBuffer string(byte[] utf8, int offset, int length) {
    put('"');
    int end = offset + length;
    int start = offset;
    for (int p = offset; p < end; p++) {
      byte b = utf8[p];
      if (b == '"' || b == '\\' || (b >= 0 && b < 0x20)) {
        raw(utf8, start, p - start);
        escape(b);
        start = p + 1;
      }
    }
    raw(utf8, start, end - start);
    return put('"');
  }

  /** Writes a string in quotation marks. */
  public JsonBuffer string(String text) {
    int length = text.length();
    if (!room(length + 2)) {
      return this;
    }
    int at = size;
    bytes[at++] = '"';
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return string(utf8, 0, utf8.length);
      }
      bytes[at++] = (byte) c;
    }
    bytes[at++] = '"';
    size = at;
    return this;
  }

  private void escape(byte b) {
    put('\\');
    switch (b) {
      case '"', '\\' -> put((char) b);
      case '\b' -> put('b');
      case '\f' -> put('f');
      case '\n' -> put('n');
      case '\r' -> put('r');
      case '\t' -> put('t');
      default -> ascii("u00").put((char) HEX[b >> 4]).put((char) HEX[b & 0xf]);
    }
  }

  /** Writes a whole number. */
  public JsonBuffer number(long value) {
    return decimal(value, 0);
  }

  /** Writes a finite number in its shortest form. */
  public JsonBuffer number(double value) {
    long packed = PackedDecimal.of(value);
    return packed == PackedDecimal.NONE ? ascii(Double.toString(value)) : packed(packed);
  }

  /** Writes a time in quotation marks, from milliseconds since 1970. */
  public JsonBuffer time(long epochMillis) {
    if (room(26)) {
      bytes[size++] = '"';
      size = Rfc3339.write(bytes, size, epochMillis);
      bytes[size++] = '"';
    }
    return this;
  }

  /** Writes a time without quotation marks, for what is no JSON. */
  public JsonBuffer instant(long epochMillis) {
    if (room(24)) {
      size = Rfc3339.write(bytes, size, epochMillis);
    }
    return this;
  }

  /** Removes all bytes from {@code from} on. */
  public JsonBuffer cut(int from) {
    size = from;
    return this;
  }

  JsonBuffer packed(long packed) {
    return decimal(PackedDecimal.mantissa(packed), PackedDecimal.scale(packed));
  }

  /** Writes an array; {@code one} writes each of its values. */
  public <T> JsonBuffer list(List<T> values, BiConsumer<T, JsonBuffer> one) {
    String before = "[";
    for (T value : values) {
      ascii(before);
      one.accept(value, this);
      before = ",";
    }
    return ascii(values.isEmpty() ? "[]" : "]");
  }

  /** Writes a page of a list: its items, and the cursor of the next page; null if there is none. */
  public <T> JsonBuffer page(List<T> items, BiConsumer<T, JsonBuffer> one, @Nullable String next) {
    ascii("{\"items\":").list(items, one).ascii(",\"next\":");
    return (next == null ? ascii("null") : string(next)).put('}');
  }

  /** Writes an array of strings. */
  public JsonBuffer strings(List<String> texts) {
    return list(texts, (text, _) -> string(text));
  }

  /**
   * Writes a mantissa with the point {@code scale} digits from its end; a fraction ends in no
   * zeros.
   */
  public JsonBuffer decimal(long mantissa, int scale) {
    if (!room(24)) {
      return this;
    }
    if (mantissa < 0) {
      bytes[size++] = '-';
    }
    long rest = mantissa;
    int places = scale;
    while (places > 0 && rest % 10 == 0) {
      rest /= 10;
      places--;
    }
    int digits = Math.max(digits(rest), places + 1);
    int p = size + digits + (places > 0 ? 1 : 0);
    size = p;
    for (int i = 0; i < digits; i++) {
      if (i == places && i > 0) {
        bytes[--p] = '.';
      }
      bytes[--p] = (byte) ('0' + Math.abs(rest % 10));
      rest /= 10;
    }
    return this;
  }

  private static int digits(long value) {
    int digits = 1;
    for (long rest = value / 10; rest != 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private boolean room(int length) {
    if (overflown || length > bytesMax - size) {
      overflown = true;
      return false;
    }
    if (size + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + length, 2 * bytes.length));
    }
    return true;
  }

  /** The written bytes as text. */
  @Override
  public String toString() {
    return new String(bytes, 0, size, StandardCharsets.UTF_8);
  }
}
