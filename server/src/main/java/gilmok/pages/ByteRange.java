package gilmok.pages;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a file that a request asks for, by the header {@code Range} of RFC 9110. Immutable.
 *
 * @param from the first byte
 * @param length how many; 0 when the file has no such part
 */
record ByteRange(long from, long length) {
  private static final ByteRange NOWHERE = new ByteRange(0, 0);

  /** One range; numbers of more digits are beyond any file. */
  private static final Pattern ONE =
      Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})", Pattern.CASE_INSENSITIVE);

  /**
   * The part that a header asks for; null when it is to be ignored: it is absent, of another unit,
   * invalid, or of several ranges.
   *
   * @param size the file's
   */
  static @Nullable ByteRange of(@Nullable String header, long size) {
    Matcher one = header == null ? null : ONE.matcher(header.strip());
    if (one == null || !one.matches()) {
      return null;
    }
    String first = one.group(1);
    String last = one.group(2);
    if (first.isEmpty()) {
      return last.isEmpty() ? null : ending(Long.parseLong(last), size);
    }
    long from = Long.parseLong(first);
    long to = last.isEmpty() ? Long.MAX_VALUE : Long.parseLong(last);
    if (to < from) {
      return null;
    }
    return from >= size ? NOWHERE : new ByteRange(from, Math.min(to, size - 1) - from + 1);
  }

  private static ByteRange ending(long length, long size) {
    long held = Math.min(length, size);
    return held == 0 ? NOWHERE : new ByteRange(size - held, held);
  }

  /** Whether the file has it. */
  boolean isThere() {
    return length > 0;
  }

  /** The same, but no longer than that. */
  ByteRange cut(long most) {
    return new ByteRange(from, Math.min(length, most));
  }

  /** The value of {@code Content-Range}. */
  String of(long size) {
    return "bytes " + from + "-" + (from + length - 1) + "/" + size;
  }
}
