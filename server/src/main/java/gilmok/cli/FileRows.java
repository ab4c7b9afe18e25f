package gilmok.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The records of a file: a JSON object a line, or CSV. Their position is how many there were, and a
 * checksum of them, so that nobody goes on in another file. Not thread-safe.
 */
final class FileRows implements ImportRows {
  private static final int LINE_CHARS_MAX = 4 << 20;
  private static final int SHOWN_CHARS = 1_000;

  /** A name that is given twice has no value. */
  private static final JsonMapper STRICT =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final TextFile file;
  private final BufferedReader reader;
  private final @Nullable CsvRows csv;
  private final List<String> columns;
  private final CRC32 checksum = new CRC32();
  private boolean isBehindReturn;
  private long line;
  private long count;

  private FileRows(TextFile file, @Nullable CsvRows csv, List<String> columns) {
    this.file = file;
    this.reader = file.reader();
    this.csv = csv;
    this.columns = columns;
  }

  /** A JSON object a line. */
  static FileRows lines(TextFile file) {
    return new FileRows(file, null, List.of());
  }

  /**
   * Comma-separated values.
   *
   * @param columns their names; empty if the first row has them
   */
  static FileRows csv(TextFile file, List<String> columns, char separator) throws IOException {
    CsvRows csv = new CsvRows(file.reader(), separator);
    List<String> head = columns.isEmpty() ? csv.nextGood() : columns;
    Set<String> names = new HashSet<>();
    for (String name : head == null ? List.<String>of() : head) {
      if (!names.add(name)) {
        throw new CommandFailure("line 1: the column \"" + name + "\" is there twice");
      }
    }
    return new FileRows(file, csv, head == null ? List.of() : List.copyOf(head));
  }

  /** The names of the columns. */
  List<String> columns() {
    return columns;
  }

  @Override
  public @Nullable Row next() throws IOException {
    try {
      Row row = csv == null ? line() : row(csv);
      if (row != null) {
        count++;
        checksum.update(row.text().getBytes(StandardCharsets.UTF_8));
      }
      return row;
    } catch (IOException broken) {
      throw TextFile.explained(broken);
    }
  }

  private @Nullable Row line() throws IOException {
    String text;
    do {
      text = readLine();
      line++;
    } while (text != null && text.isBlank());
    if (text == null) {
      return null;
    }
    String fault = noText(text);
    if (text.length() > LINE_CHARS_MAX) {
      fault = "over " + LINE_CHARS_MAX + " characters; only its begin is kept";
      text = text.substring(0, SHOWN_CHARS);
    } else if (text.chars().allMatch(one -> one <= ' ')) {
      fault = "no JSON object";
    }
    return new Row(line, null, text, fault);
  }

  private static @Nullable String noText(String text) {
    return text.indexOf(TextFile.NO_TEXT) < 0 ? null : "has bytes that are no UTF-8";
  }

  /** A line without its end; of one that is too long a little more than may be. */
  private @Nullable String readLine() throws IOException {
    int next = reader.read();
    if (next == '\n' && isBehindReturn) {
      next = reader.read();
    }
    if (next < 0) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    while (next >= 0 && next != '\n' && next != '\r') {
      if (text.length() <= LINE_CHARS_MAX) {
        text.append((char) next);
      }
      next = reader.read();
    }
    isBehindReturn = next == '\r';
    return text.toString();
  }

  private @Nullable Row row(CsvRows rows) throws IOException {
    List<String> values = rows.next();
    if (values == null) {
      return null;
    }
    ObjectNode value = JsonMapper.shared().createObjectNode();
    for (int i = 0; i < Math.min(values.size(), columns.size()); i++) {
      value.put(columns.get(i), values.get(i));
    }
    String text = rows.rowText();
    String fault = rows.fault() == null ? noText(text) : rows.fault();
    if (fault == null && values.size() > columns.size()) {
      fault = values.size() + " fields where there are " + columns.size() + " columns";
    }
    return new Row(rows.rowLine(), value, text, fault);
  }

  /** The value of a row; null if it is none, or has a name twice. */
  static @Nullable JsonNode parsed(Row row) {
    if (row.value() != null) {
      return row.value();
    }
    try {
      JsonNode value = STRICT.readTree(row.text());
      return value.isObject() ? value : null;
    } catch (JacksonException none) {
      return null;
    }
  }

  @Override
  public String position() {
    return count + " " + Long.toHexString(checksum.getValue());
  }

  @Override
  public void resume(String position) throws IOException {
    List<String> parts = new ArrayList<>(List.of(position.split(" ")));
    long to = Long.parseLong(parts.getFirst());
    while (count < to && next() != null) {
      // Read before: only its checksum is wanted.
    }
    if (!position().equals(position)) {
      throw new CommandFailure(
          "the file is not the one of which a part was imported; begin anew with --again");
    }
  }

  @Override
  public double progress() {
    return file.progress();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
