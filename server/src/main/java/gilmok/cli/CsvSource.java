package gilmok.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Positions from CSV whose first row names the columns; a column with an unknown name becomes an
 * attribute. Values are not checked here: the server sets aside what it cannot use, with the
 * reason.
 *
 * <p>Not thread-safe: owned by the reading thread.
 */
final class CsvSource implements RecordingSource {
  /** A column: its meaning, or null for an attribute, which then has that name. */
  private record Column(@Nullable CsvColumn meaning, String name) {}

  private final JsonMapper mapper = new JsonMapper();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private final CsvRows rows;
  private final List<Column> columns;

  CsvSource(Reader reader) throws IOException {
    rows = new CsvRows(reader);
    List<String> header = rows.nextGood();
    columns = columns(header == null ? List.of() : header);
  }

  @Override
  public @Nullable RecordingEntry next() throws IOException {
    List<String> row = rows.nextGood();
    if (row == null) {
      return null;
    }
    if (row.size() != columns.size()) {
      throw new CommandFailure(
          "line %d: %d fields where the header has %d"
              .formatted(rows.rowLine(), row.size(), columns.size()));
    }
    bytes.reset();
    try (JsonGenerator json = mapper.createGenerator(bytes)) {
      json.writeStartObject();
      for (int i = 0; i < columns.size(); i++) {
        CsvColumn meaning = columns.get(i).meaning();
        if (meaning != null && !row.get(i).isBlank()) {
          json.writeName(meaning.member);
          write(json, meaning.kind, row.get(i));
        }
      }
      writeAttributes(json, row);
      json.writeEndObject();
    }
    String at = cell(row, CsvColumn.AT);
    return new RecordingEntry(
        rows.rowLine(),
        JsonSource.TRACES,
        cell(row, CsvColumn.RIDER),
        RecordingTimes.millis(at.strip()),
        bytes.toString(StandardCharsets.UTF_8));
  }

  private static List<Column> columns(List<String> header) {
    Set<CsvColumn> missing = EnumSet.allOf(CsvColumn.class);
    List<Column> columns = new ArrayList<>();
    for (String name : header) {
      CsvColumn meaning = CsvColumn.of(name);
      // If two columns have one meaning, the first one counts.
      boolean first = meaning != null && missing.remove(meaning);
      columns.add(new Column(first ? meaning : null, name.strip()));
    }
    missing.removeIf(column -> !column.isNeeded());
    if (!missing.isEmpty()) {
      throw new CommandFailure(
          "line 1: the header has no column "
              + String.join(", ", missing.stream().map(column -> column.member).toList())
              + "; it needs riderId (or rider_id, agent_id, user), at (or time, timestamp), lat and"
              + " lon");
    }
    return columns;
  }

  private String cell(List<String> row, CsvColumn meaning) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).meaning() == meaning) {
        return row.get(i);
      }
    }
    return "";
  }

  private static void write(JsonGenerator json, CsvColumn.Kind kind, String cell) {
    String value = cell.strip();
    switch (kind) {
      case TEXT -> json.writeString(cell);
      case NUMBER -> {
        if (NumberTexts.isJson(value)) {
          json.writeNumber(value);
        } else if (NumberTexts.isNumber(value)) {
          json.writeNumber(new BigDecimal(value).toString());
        } else {
          json.writeString(value);
        }
      }
      case TIME -> {
        long millis = RecordingTimes.millis(value);
        if (millis == ReplayPace.UNKNOWN) {
          json.writeString(value);
        } else {
          json.writeNumber(millis);
        }
      }
    }
  }

  private void writeAttributes(JsonGenerator json, List<String> row) {
    boolean open = false;
    for (int i = 0; i < columns.size(); i++) {
      String cell = row.get(i);
      if (columns.get(i).meaning() != null || cell.isEmpty()) {
        continue;
      }
      if (!open) {
        json.writeName("attributes");
        json.writeStartObject();
        open = true;
      }
      json.writeName(columns.get(i).name());
      if (NumberTexts.isJson(cell)) {
        json.writeNumber(cell);
      } else if (cell.equals("true") || cell.equals("false")) {
        json.writeBoolean(cell.equals("true"));
      } else {
        json.writeString(cell);
      }
    }
    if (open) {
      json.writeEndObject();
    }
  }
}
