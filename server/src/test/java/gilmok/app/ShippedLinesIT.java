package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.ShippedSchema;
import gilmok.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a whole server ships, of every stream, against the schemas that it serves. */
@Tag("engine")
final class ShippedLinesIT extends DeliveryRig {
  private static final Pattern LINES = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);
  private static final Pattern SPARK = Pattern.compile("```spark-sql\n(.*?)```", Pattern.DOTALL);
  private static final Set<String> STREAMS =
      Set.of("traces", "actions", "logs", "deliveries", "quarantine", "audit");

  @TempDir Path folder;
  @AutoClose private RedisServer redis;

  @BeforeEach
  @Override
  void start() throws Exception {
    redis = RedisServer.start(folder.resolve("redis"));
    super.start();
  }

  @Override
  String[] settings() {
    String all = String.join(",", new TreeSet<>(STREAMS));
    return new String[] {
      "sinks.enabled=files,files-columns,redis",
      "redis.url=" + redis.url(),
      "sinks.files.folder=" + folder.resolve("lines"),
      "sinks.files.streams=" + all,
      "sinks.files.file-age-max=50 ms",
      "sinks.files-columns.folder=" + folder.resolve("columns"),
      "sinks.files-columns.format=parquet",
      "sinks.files-columns.file-age-max=50 ms"
    };
  }

  private static Set<String> streamsOf(List<String> lines) {
    return lines.stream()
        .map(line -> JsonMapper.shared().readTree(line).path("stream").asString())
        .collect(Collectors.toSet());
  }

  @Test
  void everyLine_fitsTheSchemaThatIsServed() throws Exception {
    assertThat(call("GET", "/schemas/shipped-1.json", "").json())
        .isEqualTo(ShippedSchema.read("shipped-1.json"));
    assertThat(call("GET", "/schemas/parquet-1.json", "").json())
        .isEqualTo(ShippedSchema.read("parquet-1.json"));
    ship();
    Set<String> streams = new TreeSet<>();
    Set<String> types = new TreeSet<>();
    Program.await(() -> lines().size() >= 20 && streamsOf(lines()).equals(STREAMS));
    for (String line : lines()) {
      assertThat(ShippedSchema.faults(line)).as(line).isEmpty();
      JsonNode json = JsonMapper.shared().readTree(line);
      streams.add(json.path("stream").asString());
      types.add(json.at("/record/type").asString(""));
    }
    assertThat(streams).containsExactlyInAnyOrderElementsOf(STREAMS);
    assertThat(types)
        .contains(
            "delivery.created",
            "delivery.accepted",
            "delivery.assigned",
            "delivery.unassigned",
            "delivery.picked_up",
            "delivery.completed",
            "delivery.declined",
            "delivery.cancelled",
            "delivery.failed");
  }

  @Test
  void whatIsInRedis_fitsTheSchema() throws Exception {
    ship();
    Program.await(() -> Long.parseLong(redis.texts("XLEN", "gilmok:positions").getFirst()) >= 2);
    List<String> entries = redis.texts("XRANGE", "gilmok:positions", "-", "+");
    for (int i = 0; i < entries.size(); i += 13) { // an id, and six fields with their values
      var entry = JsonMapper.shared().createObjectNode();
      for (int field = i + 1; field < i + 13; field += 2) {
        entry.put(entries.get(field), entries.get(field + 1));
      }
      assertThat(ShippedSchema.faults("redisEntry", entry.toString())).isEmpty();
      assertThat(ShippedSchema.faults("position", entry.path("record").asString())).isEmpty();
      entry.remove("dedupKey");
      assertThat(ShippedSchema.faults("redisEntry", entry.toString())).isNotEmpty();
    }
    List<String> latest = redis.texts("HVALS", "gilmok:{b0}:positions");
    assertThat(latest).isNotEmpty();
    for (String position : latest) {
      assertThat(ShippedSchema.faults("redisPosition", position)).as(position).isEmpty();
    }
  }

  @Test
  void examplesOfThePage_fitTheSchema_oneOfEachStream() throws Exception {
    Matcher block = LINES.matcher(page());
    assertThat(block.find()).isTrue();
    Set<String> streams = new TreeSet<>();
    for (String line : block.group(1).lines().toList()) {
      assertThat(ShippedSchema.faults(line)).as(line).isEmpty();
      streams.add(JsonMapper.shared().readTree(line).path("stream").asString());
    }
    assertThat(streams).containsExactlyInAnyOrderElementsOf(STREAMS);
  }

  /** Spark's query, translated into DuckDB's dialect by somebody else's parser of both. */
  @Test
  void sparksQueryOfThePage_findsWhatIsThere() throws Exception {
    ContractTool spark = new ContractTool("spark-sql", folder);
    ship();
    Program.await(
        () -> {
          try (var files = Files.walk(folder.resolve("columns"))) {
            return files.anyMatch(file -> file.toString().contains("stream=traces/date="));
          }
        });
    Matcher block = SPARK.matcher(page());
    assertThat(block.find()).isTrue();
    Path query = Files.writeString(folder.resolve("query.sql"), block.group(1));
    // DuckDB names files in place of a table of a format.
    String translated =
        spark
            .run(query.toString())
            .strip()
            .replaceAll(
                "parquet\\.\"data/shipped/stream=traces/[^\"]*\"",
                "read_parquet('" + folder.resolve("columns") + "/stream=traces/*/*/*.parquet')");
    assertThat(translated).contains("read_parquet");
    assertThat(query(translated).getFirst()).startsWith("r-1");
  }

  private static String page() throws Exception {
    return Files.readString(Repository.root().resolve("docs/shipped.md"));
  }

  /** Records of every stream, and every step of a delivery. */
  private void ship() throws Exception {
    long now = System.currentTimeMillis();
    String more = "\"accuracy\":3.5,\"id\":\"p\\\"1\",\"말\":[1,{\"b\":null}]";
    call("POST", "/v1/traces", trace("r-1", now, "," + more));
    call("POST", "/v1/traces", trace("r-1", now + 3_600_000, ""));
    call("POST", "/v1/traces", "[{\"riderId\":\"r-1\"}," + trace("r-1", now + 1, "") + "]");
    call("POST", "/v1/actions", "{\"riderId\":\"r-1\",\"at\":" + now + ",\"type\":\"on-duty\"}");
    String log =
        "{\"riderId\":\"r-1\",\"at\":%d,\"level\":\"info\",\"message\":\"\\u0001\"}".formatted(now);
    call("POST", "/v1/logs", log);
    String done = assigned("o-done");
    step(done, "unassign", "");
    step(done, "assign", "{\"riderId\":\"r-2\"}");
    step(done, "pickup", "{\"lat\":37.5,\"lon\":127}");
    step(done, "complete", "{\"proof\":{\"kind\":\"code\",\"code\":\"1234\"}}");
    step(created(order("o-declined")), "decline", "{\"reason\":\"closed\"}");
    step(created(order("o-cancelled")), "cancel", "{\"reason\":\"not wanted\"}");
    String failed = assigned("o-failed");
    step(failed, "pickup", "");
    step(failed, "fail", "{\"reason\":\"nobody there\"}");
    call("POST", "/v1/keys", "{\"name\":\"a\",\"scopes\":[\"collect\"]}");
    call("PUT", "/v1/devices/d-1", "{\"riderId\":\"r-9\"}");
  }

  private static String trace(String rider, long at, String more) {
    return "{\"riderId\":\"%s\",\"at\":%d,\"lat\":37.5,\"lon\":127%s}".formatted(rider, at, more);
  }

  private List<String> lines() throws Exception {
    return query(
        "select json from read_json_objects('"
            + folder.resolve("lines")
            + "/*/*/*/*.ndjson.zst', format = 'newline_delimited')");
  }

  /** The first column of the answer; nothing where there are no files yet. */
  private static List<String> query(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    } catch (SQLException failed) {
      if (!String.valueOf(failed.getMessage()).contains("No files found")) {
        throw failed;
      }
    }
    return rows;
  }
}
