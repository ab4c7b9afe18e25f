package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedView;
import gilmok.event.ShippedRecordKey;
import gilmok.log.Stream;
import gilmok.sinks.Batch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

/** DuckDB reads from the files exactly what was collected, to the last bit of each number. */
@Tag("unit")
class FilesReadBackTest {
  /** More than two pages, less than a row group; all records are of one hour. */
  private static final int RECORDS = 50_000;

  private final Batch batch = new Batch(Records.NODE);
  private final EventView view = new EventView();
  private final ShippedRecordKey key = new ShippedRecordKey();

  @TempDir Path folder;

  @BeforeEach
  void fill() {
    Records records = new Records(7);
    Stream[] streams = Stream.values();
    for (int i = 0; i < RECORDS; i++) {
      // Most records are of one stream, so that it needs several pages.
      Stream stream = i % 9 < streams.length ? streams[i % 9] : Stream.TRACES;
      records.any(batch, stream, 1000 + i, Records.TWO_PM + i);
    }
  }

  @ParameterizedTest
  @EnumSource(Stream.class)
  void parquet_everyColumnOfEveryRecord(Stream stream) throws Exception {
    List<String> columns = columns(stream);
    String select = String.join("\", \"", columns);
    ship("parquet");
    List<List<Object>> rows =
        FilesRig.query(
            "select \""
                + select
                + "\" from '"
                + folder
                + "/stream="
                + stream.label()
                + "/*/*/*.parquet'");
    List<List<@Nullable Object>> expected = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (batch.stream(i) == stream) {
        view.wrap(batch.bytes(), batch.offset(i), batch.length(i));
        List<@Nullable Object> row = new ArrayList<>();
        for (String column : columns) {
          row.add(value(column, i));
        }
        expected.add(row);
      }
    }
    assertThat(rows).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(plain(rows.get(i))).isEqualTo(expected.get(i));
    }
  }

  /** The columns in the file's order, with their names from docs/sinks.md. */
  private static List<String> columns(Stream stream) {
    List<String> all =
        new ArrayList<>(List.of("record_id", "sequence", "dedup_key", "received_at"));
    String own =
        switch (stream) {
          case TRACES ->
              "rider_id happened_at lat lon accuracy speed bearing altitude battery provider"
                  + " delivery_id id attributes clock_ahead";
          case ACTIONS -> "rider_id happened_at type delivery_id lat lon id attributes clock_ahead";
          case LOGS -> "rider_id happened_at level message id attributes clock_ahead";
          case DELIVERIES, AUDIT -> "record";
          case QUARANTINE -> "meant_for index field reason cut raw raw_base64 sink origin";
        };
    all.addAll(List.of(own.split(" ", -1)));
    return all;
  }

  private @Nullable Object value(String column, int i) {
    if (view.kind() == EventKind.QUARANTINED) {
      QuarantinedView aside = new QuarantinedView();
      aside.wrap(batch.bytes(), batch.offset(i), batch.length(i));
      String raw = new String(aside.raw(), StandardCharsets.UTF_8);
      boolean isText = !raw.contains("\ufffd");
      switch (column) {
        case "meant_for" -> {
          return aside.stream();
        }
        case "index" -> {
          return (long) aside.index();
        }
        case "field" -> {
          return aside.field();
        }
        case "reason" -> {
          return aside.reason();
        }
        case "cut" -> {
          return aside.isCut();
        }
        case "sink" -> {
          return aside.sink();
        }
        case "origin" -> {
          return aside.origin();
        }
        case "raw" -> {
          return isText ? raw : null;
        }
        case "raw_base64" -> {
          return isText ? null : Base64.getEncoder().encodeToString(aside.raw());
        }
        default -> {
          // Columns that every stream has follow below.
        }
      }
    }
    return switch (column) {
      case "record_id" -> Records.NODE + ":" + batch.sequence(i);
      case "sequence" -> batch.sequence(i);
      case "dedup_key" -> key.text(batch.stream(i).code(), view, batch.offset(i), batch.length(i));
      case "received_at" -> Instant.ofEpochMilli(batch.receivedAtMillis(i));
      case "happened_at" -> Instant.ofEpochMilli(view.at());
      case "clock_ahead" -> view.isAheadOf(batch.receivedAtMillis(i));
      case "record" -> json();
      default -> field(EventField.valueOf(column.toUpperCase(Locale.ROOT)));
    };
  }

  private @Nullable Object field(EventField field) {
    if (!view.has(field)) {
      return null;
    }
    return field.shape() == EventField.Shape.NUMBER ? view.number(field) : view.text(field);
  }

  private String json() {
    JsonBuffer json = new JsonBuffer();
    view.writeJson(json);
    return json.toString();
  }

  private static List<@Nullable Object> plain(List<Object> row) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Object value : row) {
      values.add(value instanceof OffsetDateTime time ? time.toInstant() : value);
    }
    return values;
  }

  @Test
  void ndjson_everyLine() throws Exception {
    ship("ndjson");
    List<List<Object>> rows =
        FilesRig.query(
            "select sequence, recordId, dedupKey, stream, receivedAt, record::varchar,"
                + " flags::varchar from read_json('"
                + folder
                + "/*/*/*/*.ndjson.zst',"
                + " hive_partitioning = false, maximum_object_size = 1000000, columns = {sequence:"
                + " 'BIGINT', recordId: 'VARCHAR', dedupKey: 'VARCHAR', stream: 'VARCHAR',"
                + " receivedAt: 'TIMESTAMP', record: 'JSON', flags: 'JSON'}) order by sequence");
    assertThat(rows).hasSize(batch.size());
    JsonMapper mapper = new JsonMapper();
    for (int i = 0; i < batch.size(); i++) {
      view.wrap(batch.bytes(), batch.offset(i), batch.length(i));
      List<Object> row = rows.get(i);
      assertThat(row.subList(0, 4))
          .containsExactly(
              batch.sequence(i),
              Records.NODE + ":" + batch.sequence(i),
              key.text(batch.stream(i).code(), view, batch.offset(i), batch.length(i)),
              batch.stream(i).label());
      assertThat(time(row.get(4)).toInstant(ZoneOffset.UTC).toEpochMilli())
          .isEqualTo(batch.receivedAtMillis(i));
      assertThat(mapper.readTree(String.valueOf(row.get(5)))).isEqualTo(mapper.readTree(json()));
      assertThat(row.get(6))
          .isEqualTo(view.isAheadOf(batch.receivedAtMillis(i)) ? "[\"clock\"]" : null);
    }
  }

  private static LocalDateTime time(Object value) {
    return value instanceof java.sql.Timestamp time
        ? time.toLocalDateTime()
        : (LocalDateTime) value;
  }

  @Test
  void parquet_manyRowGroups_areOfSaneSizeInOrderWithBounds() throws Exception {
    FilesRig rig = new FilesRig(folder, "parquet");
    int batches = 1000;
    try (FilesSink sink = rig.sink()) {
      for (int i = 0; i < batches; i++) {
        sink.send(rig.positions(1 + 300L * i, 300L * (i + 1)));
      }
      FilesRig.ship(sink);
    }
    String file = "'" + folder.resolve(rig.file("traces", 1, 300L * batches)) + "'";
    assertThat(
            FilesRig.query(
                "select row_group_num_rows, stats_min_value, stats_max_value, stats_null_count"
                    + " from parquet_metadata("
                    + file
                    + ") where path_in_schema = 'sequence'"))
        .containsExactly(
            List.of(122_880L, "1", "122880", 0L),
            List.of(122_880L, "122881", "245760", 0L),
            List.of(54_240L, "245761", "300000", 0L));
    assertThat(
            FilesRig.query(
                "select count(*) from (select sequence, file_row_number as at_row from"
                    + " read_parquet("
                    + file
                    + ", file_row_number = true))"
                    + " where sequence = at_row + 1"))
        .containsExactly(List.of(300_000L));
    assertThat(FilesRig.query("select count(*) from " + file + " where sequence > 299990"))
        .containsExactly(List.of(10L));
  }

  private void ship(String format) throws InterruptedException {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      assertThat(FilesRig.ship(sink, batch).acknowledged().total()).isEqualTo(batch.size());
    }
  }
}
