package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.collect.CollectConfig;
import gilmok.http.HttpConfig;
import gilmok.log.LogSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares ops/compose-nodes.yaml, and nginx's file that it mounts, with the program. */
@Tag("unit")
final class ComposeNodesTest {
  private static final List<String> NODES = List.of("gilmok-1", "gilmok-2", "gilmok-3");
  private static final List<String> BROKERS = List.of("kafka-1", "kafka-2", "kafka-3");
  private static final Pattern ASKED_FOR = Pattern.compile("\\$\\{(\\w+):\\?see README\\.md}");

  @Test
  void nodes_haveValidSettings_andTheReadmeMakesTheSecrets() throws IOException {
    Set<String> secrets = new TreeSet<>();
    for (String node : NODES) {
      Map<String, String> given = new HashMap<>();
      for (Map.Entry<String, String> one : environment(node).entrySet()) {
        Matcher asked = ASKED_FOR.matcher(one.getValue());
        if (asked.matches()) {
          assertThat(asked.group(1)).isEqualTo(one.getKey());
          secrets.add(one.getKey());
          given.put(one.getKey(), "0123456789abcdefghijklmnopqrstuvwxyz");
        } else {
          given.put(one.getKey(), one.getValue());
        }
      }
      assertThat(given).containsEntry("GILMOK_NODE_URL", "http://" + node + ":8080");
      ServerConfig config = ServerConfig.from(OpsFiles.settings(command(), given));
      assertThat(config.sinks().sinks()).hasSize(2);
      assertThat(config.of(CollectConfig.class).ack().sink()).isEqualTo("kafka");
      assertThat(config.of(HttpConfig.class).risk()).isNull();
      assertThat(config.of(LogSettings.class).config().bytesMax()).isEqualTo(4L << 30);
      String grace = service(node).path("stop_grace_period").asString();
      assertThat(Duration.parse("PT" + grace.toUpperCase(Locale.ROOT)))
          .isGreaterThanOrEqualTo(OpsFiles.stopMax(config));
      assertThat(service(node).at("/volumes/0").asString())
          .isEqualTo(node.replace("gilmok", "data") + ":" + config.data());
      String memory = service(node).at("/deploy/resources/limits/memory").asString();
      assertThat(memory).matches("\\dG");
      long limitMiB = Long.parseLong(memory.replace("G", "")) << 10;
      assertThat(limitMiB).isGreaterThanOrEqualTo(OpsFiles.memoryMiB(limitMiB / 2, 0));
    }
    String pasted = OpsFiles.pasted("compose-nodes.yaml up");
    assertThat(secrets).hasSize(3).allSatisfy(name -> assertThat(pasted).contains(name));
  }

  @Test
  void nginx_asksTheNodes_whichTrustIt_andAllHavePlacesOfTheirOwn() throws IOException {
    JsonNode nginx = compose().at("/services/nginx");
    String[] mounted = nginx.at("/volumes/0").asString().split(":", -1);
    assertThat(OpsFiles.path(mounted[0].substring(2))).exists();
    Set<String> asked = new HashSet<>();
    Matcher server =
        Pattern.compile("server (\\S+):8080 ").matcher(OpsFiles.text("nginx/nodes.conf"));
    while (server.find()) {
      asked.add(server.group(1));
    }
    assertThat(asked).containsExactlyInAnyOrderElementsOf(NODES);
    String address = nginx.at("/networks/default/ipv4_address").asString();
    String network = compose().at("/networks/default/ipam/config/0/subnet").asString();
    Set<String> addresses = new HashSet<>(Set.of(address));
    for (String node : NODES) {
      assertThat(environment(node)).containsEntry("GILMOK_HTTP_TRUSTED_PROXIES", address);
      addresses.add(service(node).at("/networks/default/ipv4_address").asString());
    }
    assertThat(addresses)
        .hasSize(NODES.size() + 1)
        .allSatisfy(one -> assertThat(one).startsWith(network.replace("0/24", "")));
    assertThat(nginx.at("/ports/0").asString()).isEqualTo("127.0.0.1:8080:80");
  }

  @Test
  void brokers_areThree_ofWhichTwoAcknowledge() throws IOException {
    Set<String> ids = new HashSet<>();
    List<String> servers = new ArrayList<>();
    List<String> voters = new ArrayList<>();
    for (String broker : BROKERS) {
      Map<String, String> set = environment(broker);
      String id = String.valueOf(set.get("KAFKA_NODE_ID"));
      ids.add(id);
      servers.add(broker + ":9092");
      voters.add(id + "@" + broker + ":9093");
      assertThat(set)
          .containsEntry("KAFKA_ADVERTISED_LISTENERS", "PLAINTEXT://" + broker + ":9092")
          .containsEntry("KAFKA_DEFAULT_REPLICATION_FACTOR", "3")
          .containsEntry("KAFKA_MIN_INSYNC_REPLICAS", "2");
      assertThat(service(broker).at("/volumes/0").asString())
          .isEqualTo(broker + ":" + set.get("KAFKA_LOG_DIRS"));
    }
    assertThat(ids).hasSize(BROKERS.size());
    assertThat(environment(BROKERS.getFirst()))
        .containsEntry("KAFKA_CONTROLLER_QUORUM_VOTERS", String.join(",", voters));
    assertThat(environment(NODES.getFirst()))
        .containsEntry("GILMOK_SINKS_KAFKA_BOOTSTRAP_SERVERS", String.join(",", servers));
  }

  @Test
  void volumes_andWhatIsWaitedFor_areThere() throws IOException {
    Set<String> used = new HashSet<>();
    Set<String> names = new HashSet<>(compose().path("services").propertyNames());
    for (String name : names) {
      JsonNode service = service(name);
      for (JsonNode volume : service.path("volumes")) {
        String from = volume.asString().split(":", -1)[0];
        if (!from.startsWith("./")) {
          assertThat(used.add(from)).as(from).isTrue();
        }
      }
      JsonNode waits = service.path("depends_on");
      assertThat(names).containsAll(waits.propertyNames());
      waits.forEachEntry(
          (other, how) -> {
            if (how.path("condition").asString().equals("service_healthy")) {
              assertThat(serviceOf(other).has("healthcheck")).as(other).isTrue();
            }
          });
      assertThat(service.at("/deploy/resources/limits").has("memory")).as(name).isTrue();
    }
    assertThat(compose().path("volumes").propertyNames()).containsExactlyInAnyOrderElementsOf(used);
  }

  private static JsonNode serviceOf(String name) {
    try {
      return service(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A service with what it takes over from another; its own members count. */
  private static JsonNode service(String name) throws IOException {
    JsonNode own = compose().path("services").path(name);
    assertThat(own.isObject()).as(name).isTrue();
    String other = own.at("/extends/service").asString("");
    if (other.isEmpty()) {
      return own;
    }
    ObjectNode all = (ObjectNode) service(other).deepCopy();
    own.forEachEntry(all::set);
    return all;
  }

  private static Map<String, String> environment(String name) throws IOException {
    JsonNode own = compose().path("services").path(name);
    String other = own.at("/extends/service").asString("");
    Map<String, String> all = other.isEmpty() ? new HashMap<>() : environment(other);
    own.path("environment").forEachEntry((key, value) -> all.put(key, value.asString()));
    return all;
  }

  /** What the image runs. */
  private static List<String> command() throws IOException {
    assertThat(service(NODES.getFirst()).has("command")).isFalse();
    return OpsFiles.imageCommand();
  }

  private static JsonNode compose() throws IOException {
    JsonNode compose = OpsFiles.yaml("compose-nodes.yaml");
    assertThat(OpsFiles.path(compose.at("/services/gilmok-1/build").asString()).normalize())
        .isEqualTo(Repository.root());
    return compose;
  }
}
