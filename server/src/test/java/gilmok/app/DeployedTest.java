package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.http.HttpConfig;
import gilmok.http.OperateConfig;
import gilmok.http.Route;
import gilmok.log.LogSettings;
import gilmok.observe.Readiness;
import gilmok.process.ShipCommand;
import gilmok.runtime.StopConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/**
 * Checks the examples in ops/ against the program: what they name exists, and their sums are right.
 */
@Tag("unit")
final class DeployedTest {
  private static final Duration TO_SPARE = Duration.ofSeconds(10);

  @Test
  void nodes_areGivenTimeToStop() throws IOException {
    StopConfig stop = config().of(StopConfig.class);
    JsonNode pod = nodes().at("/spec/template/spec");
    String slept = Manifests.container(pod).at("/lifecycle/preStop/exec/command/1").asString();
    Duration needed =
        Duration.ofSeconds(Long.parseLong(slept))
            .plus(stop.grace())
            .plus(stop.patience())
            .plus(stop.flush())
            .plus(TO_SPARE);
    assertThat(pod.path("terminationGracePeriodSeconds").asInt())
        .isGreaterThanOrEqualTo((int) needed.toSeconds());
    assertThat(stop.grace()).as("kept connections are told").isPositive();
  }

  @Test
  void nodes_keepTheirVolumes_andNobodyScalesThem() throws IOException {
    JsonNode nodes = nodes();
    JsonNode kept = nodes.at("/spec/persistentVolumeClaimRetentionPolicy");
    assertThat(kept.path("whenDeleted").asString()).isEqualTo("Retain");
    assertThat(kept.path("whenScaled").asString()).isEqualTo("Retain");
    String data = config().data().toString();
    String claim = nodes.at("/spec/volumeClaimTemplates/0/metadata/name").asString();
    JsonNode pod = nodes.at("/spec/template/spec");
    assertThat(Manifests.mounts(Manifests.container(pod))).containsEntry(claim, data);
    assertThat(manifests().all())
        .noneMatch(one -> one.path("kind").asString().contains("Autoscaler"));
    JsonNode budget = only("PodDisruptionBudget");
    assertThat(budget.at("/spec/maxUnavailable").asInt()).isOne();
    assertThat(budget.at("/spec/selector")).isEqualTo(nodes.at("/spec/selector"));
    long log = config().of(LogSettings.class).config().bytesMax();
    String asked =
        nodes.at("/spec/volumeClaimTemplates/0/spec/resources/requests/storage").asString();
    assertThat(Manifests.bytes(asked)).as("of the volume").isGreaterThan(log);
  }

  @Test
  void probes_askWhatIsThere_whereTheServerListens() throws IOException {
    JsonNode container = Manifests.container(nodes().at("/spec/template/spec"));
    Map<String, Integer> ports = new java.util.HashMap<>();
    for (JsonNode port : container.path("ports")) {
      ports.put(port.path("name").asString(), port.path("containerPort").asInt());
    }
    ServerConfig config = config();
    assertThat(ports)
        .isEqualTo(
            Map.of(
                "http",
                config.of(HttpConfig.class).port(),
                "metrics",
                config.of(OperateConfig.class).port()));
    Set<String> open = new TreeSet<>();
    for (Route route : gilmok.http.HealthRoutes.health(new Readiness(), "x")) {
      open.add(route.path());
    }
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      JsonNode get = container.path(probe).path("httpGet");
      assertThat(open).as(probe).contains(get.path("path").asString());
      assertThat(get.path("port").asString()).isEqualTo("http");
    }
    // Liveness must not depend on readiness: a server that warms up or drains would be killed.
    assertThat(container.at("/livenessProbe/httpGet/path").asString()).isEqualTo("/health/live");
    assertThat(container.at("/readinessProbe/httpGet/path").asString()).isEqualTo("/health/ready");
    for (JsonNode service : manifests().all()) {
      if (service.path("kind").asString().equals("Service")) {
        assertThat(service.at("/spec/selector"))
            .isEqualTo(nodes().at("/spec/template/metadata/labels"));
        for (JsonNode port : service.at("/spec/ports")) {
          assertThat(ports).containsKey(port.path("targetPort").asString());
        }
      }
    }
  }

  @Test
  void job_drainsTheVolumeOfANode_withItsSettings() throws IOException {
    JsonNode pod = only("Job").at("/spec/template/spec");
    JsonNode node = nodes().at("/spec/template/spec");
    List<String> words = Manifests.arguments(pod);
    assertThat(words.getFirst()).isEqualTo("ship");
    new CommandLine(new ShipCommand())
        .parseArgs(words.subList(1, words.size()).toArray(String[]::new));
    assertThat(pod.at("/volumes/0/persistentVolumeClaim/claimName").asString())
        .isEqualTo(
            nodes().at("/spec/volumeClaimTemplates/0/metadata/name").asString() + "-gilmok-2");
    JsonNode ours = Manifests.container(pod);
    JsonNode theirs = Manifests.container(node);
    assertThat(Manifests.mounts(ours)).isEqualTo(Manifests.mounts(theirs));
    assertThat(ours.path("image")).isEqualTo(theirs.path("image"));
    assertThat(pod.path("securityContext")).isEqualTo(node.path("securityContext"));
    assertThat(config().sinks().sinks()).as("it has somewhere to ship to").isNotEmpty();
  }

  @Test
  void nginx_repeatsPostsOnlyWhereARecordHasAnId() throws IOException {
    String text = Files.readString(Repository.root().resolve("ops/nginx/gilmok.conf"));
    Matcher location = Pattern.compile("location ([^{]+) \\{([^}]*)}").matcher(text);
    List<String> repeated = new ArrayList<>();
    while (location.find()) {
      if (location.group(2).contains("non_idempotent")) {
        repeated.add(location.group(1));
      }
    }
    assertThat(repeated)
        .containsExactlyInAnyOrder(
            "~ ^/v1/(traces|actions|logs)$",
            "~ ^/(osmand|pub|owntracks|overland|gpslogger)$",
            "= /");
  }

  private static ServerConfig config() throws IOException {
    return manifests().config("StatefulSet", Map.of());
  }

  private static JsonNode nodes() throws IOException {
    return only("StatefulSet");
  }

  private static JsonNode only(String kind) throws IOException {
    return manifests().only(kind);
  }

  private static Manifests manifests() throws IOException {
    return new Manifests("gilmok.yaml", "drain.yaml");
  }
}
