package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoServer;
import gilmok.redis.RedisServer;
import gilmok.sinks.firehose.MotoServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Every query of every dashboard, asked of a real Prometheus that scrapes two loaded servers: one
 * with SQLite and sinks of every kind, one with its documents in MongoDB. Each must return a
 * number.
 */
@Tag("engine")
final class DashboardsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");
  private static final int ROUNDS_MIN = 6;
  private static final int ROUNDS_MAX = 40;

  /** Panels without data here, and why. */
  private static final Map<String, String> WITHOUT =
      Map.of(
          "Errors of the server by route", "no request finds a bug",
          "Throttled by the limit", "the tests have no container's limit",
          "Pinned virtual threads", "operate.flight-recorder is off",
          "Certificate ends in", "the tests' servers have no certificate",
          "Log lines", "the program's log is not this process's; MetricsContractIT has it",
          "Settings", "the program reads them, not these servers; MetricsContractIT has it");

  @TempDir Path folder;

  @Test
  void everyQuery_returnsData() throws Exception {
    PrometheusProgram.need();
    MongoServer mongo = MongoServer.any();
    String database = mongo.newDatabase();
    System.setProperty("aws.accessKeyId", "AKIDSHOWNNOWHERE");
    System.setProperty("aws.secretAccessKey", "secret-shown-nowhere");
    try (MotoServer moto = MotoServer.start();
        RedisServer redis = RedisServer.any(folder);
        ToldPartner partner = new ToldPartner();
        RunningServer one = withSqlite(moto, redis);
        RunningServer other =
            RunningServer.startKnowing(
                one.adminKey(),
                folder.resolve("other"),
                "admin-key=" + one.adminKey(),
                "relay.private-networks=127.0.0.1",
                "documents.mongo-uri=" + mongo.uri(),
                "documents.mongo-database=" + database)) {
      ask(List.of(one, other), partner);
    } finally {
      System.clearProperty("aws.accessKeyId");
      System.clearProperty("aws.secretAccessKey");
      mongo.drop(database);
    }
  }

  private RunningServer withSqlite(MotoServer moto, RedisServer redis) throws Exception {
    moto.createStream("dashboards");
    return RunningServer.start(
        folder.resolve("one"),
        "sinks.enabled=files,redis,firehose",
        "sinks.files.format=parquet",
        "relay.private-networks=127.0.0.1",
        "redis.url=" + redis.url(),
        "sinks.firehose.stream=dashboards",
        "sinks.firehose.region=" + MotoServer.REGION,
        "sinks.firehose.endpoint=" + moto.endpoint());
  }

  private void ask(List<RunningServer> servers, ToldPartner partner) throws Exception {
    List<String> targets = servers.stream().map(one -> one.uri("").getAuthority()).toList();
    Files.writeString(folder.resolve("key"), servers.getFirst().adminKey());
    Files.writeString(
        folder.resolve("prometheus.yml"),
        PrometheusProgram.configuration(
            targets, OpsFiles.path("alerts/*.yml"), folder.resolve("key")));
    try (PrometheusProgram prometheus = PrometheusProgram.start(folder);
        HttpClient client = HttpClient.newHttpClient();
        EventStream _ = new EventStream(servers.getFirst(), client, "rider=r-1")) {
      OpsLoad one = new OpsLoad(servers.getFirst(), partner);
      OpsLoad other = new OpsLoad(servers.getLast(), partner);
      Map<String, String> empty = new TreeMap<>();
      for (int i = 0; i < ROUNDS_MAX; i++) {
        one.round();
        other.round();
        if (i >= ROUNDS_MIN) {
          empty = withoutData(prometheus);
          if (empty.keySet().equals(WITHOUT.keySet())) {
            break;
          }
        }
      }
      assertThat(empty.keySet()).as("%s", empty).isEqualTo(WITHOUT.keySet());
    }
  }

  /** The panels with a query that returns nothing, each with that query. */
  private static Map<String, String> withoutData(PrometheusProgram prometheus) throws Exception {
    Map<String, String> empty = new TreeMap<>();
    Set<String> asked = new TreeSet<>();
    for (JsonNode dashboard : dashboards()) {
      for (JsonNode mark : dashboard.at("/annotations/list")) {
        String query = filledIn(mark.path("expr").asString());
        if (prometheus.query(query).isEmpty()) {
          empty.put(mark.path("name").asString(), query);
        }
      }
      for (JsonNode panel : dashboard.path("panels")) {
        for (JsonNode target : panel.path("targets")) {
          String query = filledIn(target.path("expr").asString());
          if (asked.add(query) && !answers(prometheus, query, target.path("legendFormat"))) {
            empty.put(panel.path("title").asString(), query);
          }
        }
      }
    }
    assertThat(asked).hasSizeGreaterThan(200);
    return empty;
  }

  /** Whether a query returns a number, with all the labels that its legend names. */
  private static boolean answers(PrometheusProgram prometheus, String query, JsonNode legend)
      throws Exception {
    List<String> labels =
        LABEL.matcher(legend.asString()).results().map(label -> label.group(1)).toList();
    return prometheus.query(query).stream()
        .anyMatch(sample -> labels.stream().allMatch(sample.path("metric")::has));
  }

  /** What Grafana asks for when all servers are chosen; a day before is a second before. */
  private static String filledIn(String query) {
    return query
        .replace("$__rate_interval", "15s")
        .replace("$instance", ".*")
        .replace("offset 1d", "offset 1s");
  }

  private static List<JsonNode> dashboards() throws IOException {
    try (Stream<Path> files = Files.list(OpsFiles.path("dashboards"))) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(file -> JSON.readTree(file.toFile()))
          .toList();
    }
  }
}
