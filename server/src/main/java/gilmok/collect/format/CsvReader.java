package gilmok.collect.format;

import gilmok.event.Reason;
import gilmok.event.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits comma-separated values (RFC 4180) into lines and values, and knows where each line stands
 * in the upload, so that a line that cannot be used is kept as it was sent. A value in quotation
 * marks may have separators, line ends and doubled quotation marks. Empty lines are skipped. Throws
 * nothing.
 *
 * <p>Not thread-safe: reused from upload to upload.
 */
final class CsvReader {
  /** Takes the lines. */
  interface Lines {
    /**
     * A line.
     *
     * @param fault why it cannot be read; null when it can
     */
    void line(List<String> values, int start, int end, @Nullable String fault);
  }

  static final String OPEN_QUOTE = "a quotation mark is not closed";

  private static final int VALUES_MAX = 256;

  private final byte separator;
  private final List<String> values = new ArrayList<>();
  private byte[] bytes = {};
  private int end;
  private byte[] unquoted = new byte[256];

  /**
   * @param separator a character of ASCII
   */
  CsvReader(char separator) {
    this.separator = (byte) separator;
  }

  /** Reads an upload. */
  void read(byte[] upload, int offset, int upTo, Lines lines) {
    bytes = upload;
    end = upTo;
    int p = offset;
    if (end - p >= 3 && (bytes[p] & 0xff) == 0xef && (bytes[p + 1] & 0xff) == 0xbb) {
      p += 3; // a byte order mark
    }
    while (p < end) {
      if (bytes[p] == '\n' || bytes[p] == '\r') {
        p++;
        continue;
      }
      int start = p;
      p = line(p);
      // One that is open at the end is that line's fault, and not that of the lines after it.
      int stop = p < 0 ? lineEnd(start) : p;
      String fault = p < 0 ? OPEN_QUOTE : null;
      if (fault == null && values.size() > VALUES_MAX) {
        fault = Reason.TOO_MANY_MEMBERS;
      }
      if (!Utf8.isValid(bytes, start, stop)) {
        fault = Reason.INVALID_UTF8;
      }
      lines.line(values, start, stop, fault);
      p = stop;
    }
  }

  /** Reads one line; returns where it ends, or -1 when a quotation mark is open at the end. */
  private int line(int from) {
    values.clear();
    int p = from;
    while (true) {
      p = p < end && bytes[p] == '"' ? quoted(p + 1) : plain(p);
      if (p < 0) {
        return -1;
      }
      if (p >= end || bytes[p] == '\n' || bytes[p] == '\r') {
        return p;
      }
      p++; // the separator
    }
  }

  private int lineEnd(int from) {
    int p = from;
    while (p < end && bytes[p] != '\n' && bytes[p] != '\r') {
      p++;
    }
    return p;
  }

  private int plain(int from) {
    int p = from;
    while (p < end && bytes[p] != separator && bytes[p] != '\n' && bytes[p] != '\r') {
      p++;
    }
    add(bytes, from, p - from);
    return p;
  }

  /** Reads a value up to its closing quotation mark, and what stands before the next separator. */
  private int quoted(int from) {
    int size = 0;
    int p = from;
    while (p < end && (bytes[p] != '"' || (p + 1 < end && bytes[p + 1] == '"'))) {
      if (size == unquoted.length) {
        unquoted = Arrays.copyOf(unquoted, 2 * size);
      }
      unquoted[size++] = bytes[p];
      p += bytes[p] == '"' ? 2 : 1;
    }
    if (p >= end) {
      return -1;
    }
    add(unquoted, 0, size);
    p++;
    while (p < end && bytes[p] != separator && bytes[p] != '\n' && bytes[p] != '\r') {
      p++;
    }
    return p;
  }

  private void add(byte[] from, int offset, int length) {
    if (values.size() <= VALUES_MAX) {
      values.add(new String(from, offset, length, StandardCharsets.UTF_8));
    }
  }
}
