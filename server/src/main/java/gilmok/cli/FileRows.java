package gilmok.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The records of a file: a JSON object a line, or CSV. Their position is how many there were, and a
 * checksum of them, so that nobody goes on in another file. Not thread-safe.
 */
final class FileRows implements ImportRows {
  private static final int LINE_CHARS_MAX = 4 << 20;

  private final TextFile file;
  private final BufferedReader reader;
  private final @Nullable CsvRows csv;
  private final List<String> columns;
  private final CRC32 checksum = new CRC32();
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
    List<String> head = columns.isEmpty() ? csv.next() : columns;
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
      text = reader.readLine();
      line++;
    } while (text != null && text.isBlank());
    if (text == null) {
      return null;
    }
    if (text.length() > LINE_CHARS_MAX) {
      throw new CommandFailure("line " + line + ": over " + LINE_CHARS_MAX + " characters");
    }
    return new Row(line, null, text);
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
    boolean isLonger = values.size() > columns.size();
    return new Row(rows.rowLine(), isLonger ? null : value, String.join(",", values));
  }

  /** The value of a row; null if it is none. */
  static @Nullable JsonNode parsed(Row row) {
    if (row.value() != null) {
      return row.value();
    }
    try {
      JsonNode value = JsonMapper.shared().readTree(row.text());
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
