package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Each example in openapi.yaml fits its schema. */
@Tag("unit")
final class ApiExamplesTest {
  private final ApiDocument document;
  private final List<String> faults = new ArrayList<>();
  private int checked;

  ApiExamplesTest() throws IOException {
    document =
        new ApiDocument(
            Files.readString(Repository.root().resolve("server/src/main/resources/openapi.yaml")));
  }

  @Test
  void examples_fitTheirSchemas() {
    visit("", document.root());
    assertThat(faults).isEmpty();
    assertThat(checked).isGreaterThan(70);
  }

  /** Parameters and contents are the nodes that have a schema, and an example or several. */
  private void visit(String where, JsonNode node) {
    JsonNode schema = node.path("schema");
    if (schema.isObject()) {
      if (node.has("example")) {
        check(where, schema, node.path("example"));
      }
      for (var example : node.path("examples").properties()) {
        check(where + "/" + example.getKey(), schema, example.getValue().path("value"));
      }
    }
    for (var member : node.properties()) {
      visit(where + "/" + member.getKey(), member.getValue());
    }
    node.valueStream().filter(_ -> node.isArray()).forEach(one -> visit(where, one));
  }

  private void check(String where, JsonNode schema, JsonNode example) {
    checked++;
    document.faults(schema, example).forEach(fault -> faults.add(where + fault));
  }
}
