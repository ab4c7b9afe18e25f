package gilmok.sinks.file;

import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedView;
import gilmok.event.ShippedRecordKey;
import gilmok.event.Utf8;
import gilmok.log.Stream;
import gilmok.parquet.ParquetColumn;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetWriter;
import gilmok.sinks.Batch;
import gilmok.storage.FileOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Writes records of one stream as rows of a Parquet file, a column for each field. docs/sinks.md
 * lists the columns.
 *
 * <p>Not thread-safe: owned by the sink's sender.
 */
final class ParquetRows implements RecordFile {
  private final Stream stream;
  private final FileOutput out;
  private final List<ParquetColumn> columns = new ArrayList<>();
  private final ParquetColumn recordId = column("record_id", ParquetType.TEXT, true);
  private final ParquetColumn sequence = column("sequence", ParquetType.NUMBER, true);
  private final ParquetColumn dedupKey = column("dedup_key", ParquetType.TEXT, true);
  private final ParquetColumn receivedAt = column("received_at", ParquetType.TIME, true);
  private final EventField[] fields;
  private final ParquetColumn[] fieldColumns;
  private final ParquetWriter file;
  private final EventView view = new EventView();
  private final QuarantinedView aside = new QuarantinedView();
  private final ShippedRecordKey key = new ShippedRecordKey();
  private final JsonBuffer text = new JsonBuffer();

  ParquetRows(Stream stream, FileOutput out) {
    this.stream = stream;
    this.out = out;
    fields = fields(stream);
    fieldColumns = new ParquetColumn[fields.length];
    for (int i = 0; i < fields.length; i++) {
      fieldColumns[i] = column(name(fields[i]), type(fields[i]), false);
      if (fields[i] == EventField.RIDER_ID) {
        fieldColumns[i].boundTexts();
      }
    }
    own(stream);
    file = new ParquetWriter(out, columns);
  }

  private static EventField[] fields(Stream stream) {
    return switch (stream) {
      case TRACES ->
          Arrays.stream(EventField.values())
              .filter(EventKind.POSITION::has)
              .toArray(EventField[]::new);
      case ACTIONS ->
          new EventField[] {
            EventField.RIDER_ID,
            EventField.AT,
            EventField.TYPE,
            EventField.DELIVERY_ID,
            EventField.LAT,
            EventField.LON,
            EventField.ID,
            EventField.ATTRIBUTES
          };
      case LOGS ->
          new EventField[] {
            EventField.RIDER_ID,
            EventField.AT,
            EventField.LEVEL,
            EventField.MESSAGE,
            EventField.ID,
            EventField.ATTRIBUTES
          };
      case DELIVERIES, QUARANTINE, AUDIT -> new EventField[0];
    };
  }

  /** Adds the columns that are not fields of an event. */
  private void own(Stream stream) {
    switch (stream) {
      case TRACES, ACTIONS, LOGS -> column("clock_ahead", ParquetType.FLAG, true);
      case DELIVERIES, AUDIT -> column("record", ParquetType.TEXT, true);
      case QUARANTINE -> {
        column("meant_for", ParquetType.TEXT, true);
        column("index", ParquetType.NUMBER, true);
        column("field", ParquetType.TEXT, true);
        column("reason", ParquetType.TEXT, true);
        column("cut", ParquetType.FLAG, true);
        column("raw", ParquetType.TEXT, false);
        column("raw_base64", ParquetType.TEXT, false);
        column("sink", ParquetType.TEXT, false);
        column("origin", ParquetType.TEXT, false);
      }
    }
  }

  private ParquetColumn column(String name, ParquetType type, boolean required) {
    ParquetColumn column = new ParquetColumn(name, type, required);
    columns.add(column);
    return column;
  }

  /** The field's name in snake case; {@code at} gets another one, as it is a word of SQL. */
  private static String name(EventField field) {
    return switch (field) {
      case AT -> "happened_at";
      case RIDER_ID -> "rider_id";
      case DELIVERY_ID -> "delivery_id";
      default -> field.label();
    };
  }

  private static ParquetType type(EventField field) {
    return switch (field.shape()) {
      case TEXT, MEMBERS -> ParquetType.TEXT;
      case NUMBER -> ParquetType.DECIMAL;
      case TIME -> ParquetType.TIME;
    };
  }

  @Override
  public void write(Batch batch, int i) throws IOException {
    // Both may find damage, so both run before the first column is set.
    view.wrap(batch.bytes(), batch.offset(i), batch.length(i));
    if (stream == Stream.QUARANTINE) {
      aside.wrap(batch.bytes(), batch.offset(i), batch.length(i));
    }
    text.clear();
    batch.writeId(i, text);
    set(recordId);
    sequence.number(batch.sequence(i));
    text.clear();
    key.write(stream.code(), view, batch.offset(i), batch.length(i), text);
    set(dedupKey);
    receivedAt.number(batch.receivedAtMillis(i));
    for (int f = 0; f < fields.length; f++) {
      if (view.has(fields[f])) {
        set(fieldColumns[f], fields[f]);
      }
    }
    setOwn(batch, i);
    file.endRow();
  }

  private void set(ParquetColumn column, EventField field) {
    switch (field.shape()) {
      case NUMBER -> column.decimal(view.number(field));
      case TIME -> column.number(view.at());
      case TEXT, MEMBERS -> column.text(view.bytes(), view.offset(field), view.length(field));
    }
  }

  private void set(ParquetColumn column) {
    column.text(text.bytes(), 0, text.size());
  }

  private void setOwn(Batch batch, int i) {
    int own = columns.size() - 1;
    switch (stream) {
      case TRACES, ACTIONS, LOGS ->
          columns.get(own).flag(view.isAheadOf(batch.receivedAtMillis(i)));
      case DELIVERIES, AUDIT -> {
        text.clear();
        view.writeJson(text);
        set(columns.get(own));
      }
      case QUARANTINE -> setAside();
    }
  }

  private void setAside() {
    int first = columns.size() - 9;
    set(columns.get(first), aside.stream());
    columns.get(first + 1).number(aside.index());
    set(columns.get(first + 2), aside.field());
    set(columns.get(first + 3), aside.reason());
    columns.get(first + 4).flag(aside.isCut());
    byte[] raw = aside.raw();
    if (Utf8.isValid(raw, 0, raw.length)) {
      columns.get(first + 5).text(raw, 0, raw.length);
    } else {
      set(columns.get(first + 6), Base64.getEncoder().encodeToString(raw));
    }
    String sink = aside.sink();
    String origin = aside.origin();
    if (sink != null && origin != null) {
      set(columns.get(first + 7), sink);
      set(columns.get(first + 8), origin);
    }
  }

  private static void set(ParquetColumn column, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    column.text(utf8, 0, utf8.length);
  }

  @Override
  public long records() {
    return file.rows();
  }

  @Override
  public long plainBytes() {
    return file.plainBytes();
  }

  @Override
  public void finish() throws IOException {
    file.finish();
    out.force();
  }

  @Override
  public void close() throws IOException {
    file.close();
    out.close();
  }
}
