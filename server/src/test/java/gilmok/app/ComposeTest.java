package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.config.Settings;
import gilmok.http.HealthRoutes;
import gilmok.http.HttpConfig;
import gilmok.http.Route;
import gilmok.log.LogSettings;
import gilmok.observe.Readiness;
import gilmok.runsheet.RunSheetConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Compares ops/compose.yaml, with the Dockerfile that it builds, with the program. */
@Tag("unit")
final class ComposeTest {
  private static final Pattern ASSIGNMENT = Pattern.compile("(GILMOK_\\w+)=(\\S+)");

  /** Values for the variables that are handed on from whoever calls Compose. */
  private static final Map<String, String> HANDED_ON =
      Map.of(
          "GILMOK_ADMIN_KEY", "a-key-for-the-test-of-compose",
          "GILMOK_TRACK_URL", "https://fleet.example.com",
          "GILMOK_SINKS_ENABLED", "redis",
          "GILMOK_REDIS_URL", "redis://redis:6379/0");

  @Test
  void settings_areValid_withWhatIsHandedOn_andWithout() throws IOException {
    JsonNode environment = server().path("environment");
    Map<String, String> given = new HashMap<>();
    TreeSet<String> handedOn = new TreeSet<>();
    environment.forEachEntry(
        (name, value) -> {
          if (value.isNull()) {
            handedOn.add(name);
          } else {
            given.put(name, value.asString());
          }
        });
    assertThat(handedOn).isEqualTo(new TreeSet<>(HANDED_ON.keySet()));
    Settings alone = OpsFiles.settings(command(), given);
    assertThat(ServerConfig.from(alone).of(HttpConfig.class).risk()).isNull();
    assertThat(alone.changed()).hasSizeGreaterThan(given.size());
    given.putAll(HANDED_ON);
    assertThat(ServerConfig.from(OpsFiles.settings(command(), given)).sinks().sinks()).hasSize(1);
  }

  @Test
  void redis_isWhereTheReadmesLinesSayThatItIs() throws IOException {
    Matcher line = ASSIGNMENT.matcher(OpsFiles.pasted("--profile redis"));
    Map<String, String> set = new HashMap<>();
    while (line.find()) {
      set.put(line.group(1), line.group(2));
    }
    assertThat(set).hasSize(2);
    assertThat(HANDED_ON).containsAllEntriesOf(set);
    String host = URI.create(String.valueOf(set.get("GILMOK_REDIS_URL"))).getHost();
    assertThat(services().at("/" + host + "/profiles/0").asString()).isEqualTo("redis");
  }

  @Test
  void server_isGivenTimeToStop_andMemory() throws IOException {
    JsonNode server = server();
    assertThat(server.path("stop_grace_period").asString()).matches("\\d+s");
    long seconds = Long.parseLong(server.path("stop_grace_period").asString().replace("s", ""));
    assertThat(Duration.ofSeconds(seconds)).isGreaterThanOrEqualTo(OpsFiles.stopMax(config()));
    Matcher share = Pattern.compile("-XX:MaxRAMPercentage=(\\d+)").matcher(dockerfile());
    assertThat(share.find()).isTrue();
    String memory = server.at("/deploy/resources/limits/memory").asString();
    assertThat(memory).matches("\\d+G");
    long limitMiB = Long.parseLong(memory.replace("G", "")) << 10;
    long heapMiB = limitMiB * Long.parseLong(share.group(1)) / 100;
    int planners = config().of(RunSheetConfig.class).workers();
    assertThat(limitMiB).isGreaterThanOrEqualTo(OpsFiles.memoryMiB(heapMiB, planners));
    assertThat(heapMiB).isGreaterThanOrEqualTo(512);
    assertThat(server.at("/deploy/resources/limits/cpus").asString()).isEqualTo("2");
    int files = server.at("/ulimits/nofile/soft").asInt();
    assertThat(files).isGreaterThan(4 * connectionsMax());
  }

  @Test
  void server_keepsItsFolderInAVolume_andUnpacksWhereItMayExecute() throws IOException {
    String volume = server().at("/volumes/0").asString();
    assertThat(volume).isEqualTo("data:" + config().data());
    assertThat(compose().path("volumes").has("data")).isTrue();
    assertThat(config().of(LogSettings.class).config().bytesMax()).isEqualTo(16L << 30);
    assertThat(server().path("read_only").asBoolean()).isTrue();
    assertThat(server().at("/tmpfs/0").asString()).startsWith("/tmp:").contains("exec", "1777");
  }

  @Test
  void ports_areReachedFromThisMachineAlone_andAreThoseThatAreListenedAt() throws IOException {
    List<String> published = new ArrayList<>();
    for (JsonNode service : services()) {
      for (JsonNode port : service.path("ports")) {
        published.add(port.asString());
      }
    }
    int port = config().of(HttpConfig.class).port();
    assertThat(published)
        .containsExactlyInAnyOrder(
            "127.0.0.1:%d:%<d".formatted(port), "127.0.0.1:9090:9090", "127.0.0.1:3000:3000");
    TreeSet<String> open = new TreeSet<>();
    for (Route route : HealthRoutes.health(new Readiness(), "x")) {
      open.add("http://127.0.0.1:" + port + route.path());
    }
    JsonNode asked = server().at("/healthcheck/test");
    assertThat(open).contains(asked.get(asked.size() - 1).asString());
  }

  @Test
  void clients_areNamedByTheNetworksGateway() throws IOException {
    String gateway = compose().at("/networks/default/ipam/config/0/gateway").asString();
    String subnet = compose().at("/networks/default/ipam/config/0/subnet").asString();
    assertThat(server().at("/environment/GILMOK_HTTP_TRUSTED_PROXIES").asString())
        .isEqualTo(gateway);
    assertThat(subnet).endsWith(".0/24");
    assertThat(gateway).startsWith(subnet.substring(0, subnet.length() - "0/24".length()));
  }

  @Test
  void prometheus_scrapesTheServer_withTheSecretAndTheRulesThatItIsGiven() throws IOException {
    JsonNode scrape = OpsFiles.yaml("prometheus.yml").at("/scrape_configs/0");
    int port = config().of(HttpConfig.class).port();
    assertThat(scrape.at("/static_configs/0/targets/0").asString()).isEqualTo("gilmok:" + port);
    JsonNode prometheus = services().path("prometheus");
    String secret = prometheus.at("/secrets/0").asString();
    assertThat(scrape.at("/authorization/credentials_file").asString())
        .isEqualTo("/run/secrets/" + secret);
    String variable = compose().at("/secrets/" + secret + "/environment").asString();
    assertThat(OpsFiles.pasted("--profile prometheus")).contains(variable + "=$M");
    List<String> mounted = new ArrayList<>();
    for (JsonNode volume : prometheus.path("volumes")) {
      String[] parts = volume.asString().split(":", -1);
      if (parts[0].startsWith("./")) {
        assertThat(OpsFiles.path(parts[0].substring(2))).exists();
        mounted.add(parts[1]);
      }
    }
    JsonNode command = prometheus.path("command");
    assertThat(command.get(0).asString()).isEqualTo("--config.file=" + mounted.getFirst());
    String rules = OpsFiles.yaml("prometheus.yml").at("/rule_files/0").asString();
    assertThat(mounted).contains("/etc/prometheus/" + rules.replace("/*.yml", ""));
  }

  @Test
  void grafana_isGivenTheDashboards_aPassword_andPrometheusAsItsSource() throws IOException {
    JsonNode grafana = services().path("grafana");
    Map<String, String> mounted = new HashMap<>();
    for (JsonNode volume : grafana.path("volumes")) {
      String[] parts = volume.asString().split(":", -1);
      if (parts[0].startsWith("./")) {
        assertThat(OpsFiles.path(parts[0].substring(2))).exists();
        mounted.put(parts[0].substring(2), parts[1]);
      }
    }
    String folder = String.valueOf(mounted.get("dashboards"));
    assertThat(OpsFiles.yaml("grafana/dashboards.yaml").at("/providers/0/options/path").asString())
        .isEqualTo(folder);
    String home = grafana.at("/environment/GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH").asString();
    assertThat(home).startsWith(folder + "/");
    assertThat(OpsFiles.path("dashboards/" + home.substring(folder.length() + 1))).exists();
    assertThat(OpsFiles.yaml("grafana/datasource.yaml").at("/datasources/0/url").asString())
        .isEqualTo("http://prometheus:9090");
    String secret = grafana.at("/secrets/0").asString();
    assertThat(grafana.at("/environment/GF_SECURITY_ADMIN_PASSWORD__FILE").asString())
        .isEqualTo("/run/secrets/" + secret);
    String variable = compose().at("/secrets/" + secret + "/environment").asString();
    assertThat(OpsFiles.pasted("--profile grafana")).contains(variable + "=");
  }

  private static ServerConfig config() throws IOException {
    Map<String, String> given = new HashMap<>();
    server()
        .path("environment")
        .forEachEntry(
            (name, value) -> {
              if (!value.isNull()) {
                given.put(name, value.asString());
              }
            });
    return ServerConfig.from(OpsFiles.settings(command(), given));
  }

  private static int connectionsMax() throws IOException {
    Settings settings = OpsFiles.settings(command(), Map.of());
    ServerConfig _ = ServerConfig.from(settings);
    return Integer.parseInt(String.valueOf(settings.effective().get("http.connections-max")));
  }

  /** What the image runs: Compose does not override it. */
  private static List<String> command() throws IOException {
    assertThat(server().has("command")).isFalse();
    return OpsFiles.imageCommand();
  }

  private static String dockerfile() throws IOException {
    assertThat(OpsFiles.path(server().path("build").asString()).normalize())
        .isEqualTo(Repository.root());
    return Files.readString(Repository.root().resolve("Dockerfile"));
  }

  private static JsonNode server() throws IOException {
    return services().path("gilmok");
  }

  private static JsonNode services() throws IOException {
    return compose().path("services");
  }

  private static JsonNode compose() throws IOException {
    return OpsFiles.yaml("compose.yaml");
  }
}
