package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The bill of materials that the build makes: every part of the jar, each the one whose checksum is
 * pinned.
 */
@Tag("unit")
class SbomTest {
  @Test
  void everyPart_isTheOneThatIsPinned() throws Exception {
    JsonNode bill = JsonMapper.shared().readTree(Files.readString(Path.of("target/sbom.json")));
    assertThat(bill.path("bomFormat").asString()).isEqualTo("CycloneDX");
    assertThat(bill.path("metadata").path("component").path("name").asString())
        .isEqualTo("gilmok-server");
    Map<String, String> pinned = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("../.ci/artifacts.sha256"))) {
      pinned.put(line.substring(66), line.substring(0, 64));
    }
    List<String> wrong = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (JsonNode part : bill.path("components")) {
      String name = part.path("name").asString();
      names.add(name);
      String version = part.path("version").asString();
      String file = name + "-" + version + classifier(part.path("purl").asString()) + ".jar";
      String path =
          part.path("group").asString().replace('.', '/') + "/" + name + "/" + version + "/" + file;
      if (!sha256(part).equals(pinned.get(path))) {
        wrong.add(path + ": " + pinned.get(path) + " is pinned, not " + sha256(part));
      }
      if (part.path("licenses").isEmpty()) {
        wrong.add(path + ": no licence");
      }
    }
    assertThat(wrong).as("CONTRIBUTING.md, \"A dependency\"").isEmpty();
    assertThat(names)
        .contains("vertx-core", "netty-transport-native-epoll", "sqlite-jdbc", "lettuce-core")
        .doesNotContain("junit-jupiter", "playwright", "duckdb_jdbc");
  }

  private static String classifier(String purl) {
    int at = purl.indexOf("classifier=");
    return at < 0 ? "" : "-" + purl.substring(at + 11).split("&", 2)[0];
  }

  private static String sha256(JsonNode part) {
    for (JsonNode hash : part.path("hashes")) {
      if (hash.path("alg").asString().equals("SHA-256")) {
        return hash.path("content").asString();
      }
    }
    return "";
  }
}
