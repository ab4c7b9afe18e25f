package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.AckConfig;
import gilmok.collect.CollectConfig;
import gilmok.log.LogSettings;
import gilmok.runtime.StopConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Checks ops/kubernetes/collecting.yaml: its nodes lose their folders, so what must hold for that
 * holds, and the rest is as in gilmok.yaml.
 */
@Tag("unit")
final class CollectingTest {
  @Test
  void folders_mayBeLost_asASinkAcknowledges_andDocumentsAreElsewhere() throws IOException {
    ServerConfig config = config();
    AckConfig ack = config.of(CollectConfig.class).ack();
    assertThat(ack.sink()).isEqualTo("kafka");
    assertThat(ack.isUnsafe()).isFalse();
    assertThat(ack.otherwise()).isEqualTo(AckConfig.Else.REFUSE);
    assertThat(config.sinks().sinks()).hasSize(2);
    List<String> given = new ArrayList<>();
    for (JsonNode variable : container().path("env")) {
      given.add(variable.path("name").asString());
    }
    assertThat(given).containsExactlyInAnyOrderElementsOf(environment().keySet());
    JsonNode data = volume("data").path("emptyDir");
    assertThat(Manifests.bytes(data.path("sizeLimit").asString()))
        .as("of the folder")
        .isGreaterThan(config.of(LogSettings.class).config().bytesMax());
    assertThat(Manifests.mounts(container())).containsEntry("data", config.data().toString());
  }

  @Test
  void autoscaler_isOfThisDeployment_andLeavesOneToServe() throws IOException {
    Manifests collecting = new Manifests("collecting.yaml");
    JsonNode deployment = collecting.only("Deployment");
    JsonNode scaler = collecting.only("HorizontalPodAutoscaler").path("spec");
    assertThat(scaler.at("/scaleTargetRef/kind").asString()).isEqualTo("Deployment");
    assertThat(scaler.at("/scaleTargetRef/name")).isEqualTo(deployment.at("/metadata/name"));
    assertThat(deployment.path("spec").has("replicas")).as("an apply would undo it").isFalse();
    assertThat(scaler.path("minReplicas").asInt()).isGreaterThan(1);
    JsonNode budget = collecting.only("PodDisruptionBudget");
    assertThat(budget.at("/spec/maxUnavailable").asInt()).isOne();
    JsonNode labels = deployment.at("/spec/template/metadata/labels");
    assertThat(deployment.at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(budget.at("/spec/selector/matchLabels")).isEqualTo(labels);
    assertThat(collecting.only("Service").at("/spec/selector")).isEqualTo(labels);
  }

  /** So what DeployedTest says of probes, ports, rights and the time to stop holds here, too. */
  @Test
  void pods_areThoseOfTheStatefulSet() throws IOException {
    Manifests kept = new Manifests("gilmok.yaml");
    JsonNode theirs = kept.only("StatefulSet").at("/spec/template/spec");
    JsonNode ours = pod();
    for (String same :
        List.of(
            "terminationGracePeriodSeconds",
            "automountServiceAccountToken",
            "enableServiceLinks",
            "securityContext")) {
      assertThat(ours.path(same)).as(same).isEqualTo(theirs.path(same));
    }
    for (String same :
        List.of(
            "name",
            "image",
            "args",
            "ports",
            "startupProbe",
            "livenessProbe",
            "readinessProbe",
            "lifecycle",
            "resources",
            "securityContext",
            "volumeMounts")) {
      assertThat(container().path(same)).as(same).isEqualTo(Manifests.container(theirs).path(same));
    }
    assertThat(config().of(StopConfig.class))
        .usingRecursiveComparison()
        .ignoringFields("required")
        .isEqualTo(kept.config("StatefulSet", Map.of()).of(StopConfig.class));
    assertThat(volume("config").at("/configMap/name"))
        .isEqualTo(new Manifests("collecting.yaml").only("ConfigMap").at("/metadata/name"));
  }

  private static Map<String, String> environment() {
    Map<String, String> given = new HashMap<>();
    given.put("GILMOK_ADMIN_KEY", "a-key-for-the-test-of-manifests");
    given.put("GILMOK_DOCUMENTS_MONGO_URI", "mongodb://mongo:27017/?replicaSet=rs0");
    return given;
  }

  private static ServerConfig config() throws IOException {
    return new Manifests("collecting.yaml").config("Deployment", environment());
  }

  private static JsonNode pod() throws IOException {
    return new Manifests("collecting.yaml").only("Deployment").at("/spec/template/spec");
  }

  private static JsonNode container() throws IOException {
    return Manifests.container(pod());
  }

  private static JsonNode volume(String name) throws IOException {
    for (JsonNode volume : pod().path("volumes")) {
      if (volume.path("name").asString().equals(name)) {
        return volume;
      }
    }
    throw new AssertionError("no volume " + name);
  }
}
