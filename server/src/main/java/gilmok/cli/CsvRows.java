package gilmok.cli;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of comma-separated values (RFC 4180): fields may be quoted; quoted ones may hold
 * commas, line breaks and doubled quotes. Empty lines are skipped.
 *
 * <p>Not thread-safe: owned by the reading thread.
 */
final class CsvRows {
  static final int ROW_CHARS_MAX = 1 << 20;

  private static final int NONE = -2;

  private final Reader reader;
  private final char separator;
  private final StringBuilder field = new StringBuilder();
  private final StringBuilder raw = new StringBuilder();
  private int pushedBack = NONE;
  private long line = 1;
  private long rowLine;
  private int rowChars;
  private @Nullable String fault;

  CsvRows(Reader reader) {
    this(reader, ',');
  }

  /**
   * @param separator what stands between two fields
   */
  CsvRows(Reader reader, char separator) {
    this.reader = reader;
    this.separator = separator;
  }

  /** The line on which the last row starts, from 1. */
  long rowLine() {
    return rowLine;
  }

  /** The last row as it is written, without its line end. */
  String rowText() {
    int end = raw.length();
    while (end > 0 && (raw.charAt(end - 1) == '\n' || raw.charAt(end - 1) == '\r')) {
      end--;
    }
    return raw.substring(0, end);
  }

  /** What is wrong with the last row, of which then only some fields were read; null if nothing. */
  @Nullable String fault() {
    return fault;
  }

  /** The next row, which must be well formed; null at the end. */
  @Nullable List<String> nextGood() throws IOException {
    List<String> row = next();
    if (fault != null) {
      throw new CommandFailure("line " + rowLine + ": " + fault);
    }
    return row;
  }

  /**
   * The next row; null at the end. One that is not well formed has a {@link #fault}.
   *
   * @throws CommandFailure naming the line of a row without an end
   */
  @Nullable List<String> next() throws IOException {
    int first = read();
    while (first == '\n' || first == '\r') {
      first = read();
    }
    if (first < 0) {
      return null;
    }
    raw.setLength(0);
    raw.append((char) first);
    unread(first);
    rowLine = line;
    rowChars = 0;
    fault = null;
    List<String> row = new ArrayList<>();
    int end;
    do {
      end = readField();
      row.add(field.toString());
    } while (end == separator);
    return row;
  }

  /** Reads one field and returns what ended it: a separator, a line feed, or -1. */
  private int readField() throws IOException {
    field.setLength(0);
    int next = read();
    if (next == '"') {
      readQuoted();
      next = read();
      if (next >= 0 && next != separator && next != '\n' && next != '\r') {
        fault = "text after the closing quote of a field";
      }
    }
    while (next >= 0 && next != separator && next != '\n' && next != '\r') {
      take(next);
      next = read();
    }
    if (next == '\r') {
      int after = read();
      if (after != '\n') {
        unread(after);
      }
      return '\n';
    }
    return next;
  }

  private void readQuoted() throws IOException {
    while (true) {
      int next = read();
      if (next < 0) {
        throw new CommandFailure("line " + rowLine + ": a quote is opened and never closed");
      }
      if (next == '"') {
        int after = read();
        if (after != '"') {
          unread(after);
          return;
        }
      }
      take(next);
    }
  }

  private void take(int next) {
    if (++rowChars > ROW_CHARS_MAX) {
      throw new CommandFailure(
          "line " + rowLine + ": a row of more than " + ROW_CHARS_MAX + " characters");
    }
    field.append((char) next);
  }

  private int read() throws IOException {
    int next = pushedBack;
    pushedBack = NONE;
    if (next == NONE) {
      next = reader.read();
    }
    if (next == '\n') {
      line++;
    }
    if (next >= 0) {
      raw.append((char) next);
    }
    return next;
  }

  private void unread(int next) {
    if (next == '\n') {
      line--;
    }
    if (next >= 0) {
      raw.setLength(raw.length() - 1);
    }
    pushedBack = next;
  }
}
