package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.ShippedSchema;
import gilmok.event.JsonBuffer;
import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.sinks.ShippedLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Lines and files of made-up records against the schemas that are served. */
@Tag("unit")
final class ShippedSchemaTest {
  private static final EnumSet<Stream> EVENTS =
      EnumSet.of(Stream.TRACES, Stream.ACTIONS, Stream.LOGS, Stream.QUARANTINE);

  @Test
  void anyRecord_fitsTheSchema() {
    Records records = new Records(20_261_127);
    ShippedLine line = new ShippedLine();
    JsonBuffer out = new JsonBuffer();
    for (int i = 1; i <= 2000; i++) {
      for (Stream stream : EVENTS) {
        Batch batch = new Batch(Records.NODE);
        records.any(batch, stream, i, Records.TWO_PM);
        out.clear();
        line.write(batch, 0, out);
        assertThat(ShippedSchema.faults(out.toString())).as(out.toString()).isEmpty();
      }
    }
  }

  /** The schema is no yes-man: what lacks a member, or has another type, does not fit. */
  @Test
  void lineWithoutAMember_orWithAnother_doesNotFit() {
    Batch batch = new Batch(Records.NODE);
    new Records(1).position(batch, 1, Records.TWO_PM);
    JsonBuffer out = new JsonBuffer();
    new ShippedLine().write(batch, 0, out);
    ObjectNode whole = (ObjectNode) JsonMapper.shared().readTree(out.toString());
    for (String name : List.copyOf(whole.propertyNames())) {
      ObjectNode without = whole.deepCopy();
      without.remove(name);
      assertThat(ShippedSchema.faults(without.toString())).as(name).isNotEmpty();
    }
    for (String name : List.of("riderId", "at", "lat", "lon")) {
      ObjectNode without = whole.deepCopy();
      ((ObjectNode) without.path("record")).remove(name);
      assertThat(ShippedSchema.faults(without.toString())).as(name).isNotEmpty();
      ((ObjectNode) without.path("record")).put(name, true);
      assertThat(ShippedSchema.faults(without.toString())).as(name).isNotEmpty();
    }
    whole.put("later", 1);
    ((ObjectNode) whole.path("record")).put("later", 1);
    assertThat(ShippedSchema.faults(whole.toString())).as("a reader ignores it").isEmpty();
  }

  @Test
  void columns_areThoseOfTheSchema(@TempDir Path folder) throws Exception {
    FilesRig rig = new FilesRig(folder, "parquet").set("streams", allStreams());
    try (FilesSink sink = rig.sink()) {
      Batch batch = new Batch(Records.NODE);
      long sequence = 0;
      for (Stream stream : Stream.values()) {
        rig.records.any(batch, stream, ++sequence, rig.nowMillis);
      }
      FilesRig.ship(sink, batch);
    }
    JsonNode streams = ShippedSchema.read("parquet-1.json").path("streams");
    assertThat(streams.propertyNames()).hasSize(Stream.values().length);
    for (Stream stream : Stream.values()) {
      String files = "'" + folder + "/stream=" + stream.label() + "/*/*/*.parquet'";
      List<String> columns = new ArrayList<>();
      String asked =
          ("select d.column_name, d.column_type, s.repetition_type from (describe select * from"
                  + " read_parquet(%1$s, hive_partitioning = false)) d join parquet_schema(%1$s) s"
                  + " on s.name = d.column_name and s.repetition_type is not null")
              .formatted(files);
      for (List<Object> row : FilesRig.query(asked)) {
        columns.add(row.get(0) + " " + row.get(1) + " " + row.get(2).equals("OPTIONAL"));
      }
      List<String> written = new ArrayList<>();
      for (JsonNode column : streams.path(stream.label())) {
        String name = column.path("name").asString();
        written.add(
            name + " " + column.path("type").asString() + " " + column.path("null").asBoolean());
      }
      assertThat(columns).as(stream.label()).containsExactlyInAnyOrderElementsOf(written);
    }
  }

  private static String allStreams() {
    return String.join(",", Arrays.stream(Stream.values()).map(Stream::label).toList());
  }
}
