package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.ApiDocument.Operation;
import gilmok.app.RunningServer.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The document's limits are the server's. They are read from the document and tried on a server:
 * what is at a limit is not too much, and what is beyond it is refused.
 */
@Tag("server")
final class ApiLimitsIT {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** How refusals say that a value is at fault for its size. */
  private static final String TOO_MUCH = ".*(too long|too large|out of range|from \\d|1 to \\d).*";

  @TempDir Path data;

  private final List<String> faults = new ArrayList<>();
  private int tried;

  @Test
  void queries() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      ApiDocument document = document(server);
      for (Operation operation : document.operations().values()) {
        for (JsonNode listed : operation.node().path("parameters")) {
          JsonNode parameter = document.resolved(listed);
          JsonNode most = parameter.path("schema").path("maximum");
          if (parameter.path("in").asString().equals("query")
              && most.isIntegralNumber()
              && operation.method().equals("GET")
              && !operation.path().startsWith("/v1/stream")) { // its answer has no end
            String place = operation.path().replace("{id}", "x").replace("{dataset}", "keys");
            String path = place + "?" + parameter.path("name").asString();
            String bbox = operation.path().equals("/v1/riders") ? "&bbox=126,37,127,38" : "";
            judge(path, true, server.get(path + "=" + most.asLong() + bbox));
            judge(path, false, server.get(path + "=" + (most.asLong() + 1) + bbox));
          }
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(tried).isGreaterThan(10);
  }

  @Test
  void bodies() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      ApiDocument document = document(server);
      for (Operation operation : document.operations().values()) {
        JsonNode content =
            operation.node().path("requestBody").path("content").path("application/json");
        JsonNode examples = content.path("examples");
        JsonNode example =
            examples.isObject()
                ? examples.iterator().next().path("value")
                : content.path("example");
        JsonNode schema = objectOf(document, content.path("schema"));
        if (operation.path().startsWith("/v1/") && example instanceof ObjectNode body) {
          for (var property : schema.path("properties").properties()) {
            tryLimits(server, operation, body, property.getKey(), property.getValue());
          }
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(tried).isGreaterThan(60);
  }

  private void tryLimits(
      RunningServer server, Operation operation, ObjectNode body, String name, JsonNode schema)
      throws Exception {
    JsonNode length = schema.path("maxLength");
    if (length.isIntegralNumber() && !schema.has("format")) {
      for (int beyond = 0; beyond <= 1; beyond++) {
        String text = "A".repeat(length.asInt() + beyond);
        judge(server, operation, body, name, NODES.stringNode(text), beyond == 0);
      }
    }
    for (String side : List.of("minimum", "maximum")) {
      JsonNode bound = schema.path(side);
      if (bound.isIntegralNumber()) {
        long step = side.equals("minimum") ? -1 : 1;
        judge(server, operation, body, name, bound, true);
        judge(server, operation, body, name, NODES.numberNode(bound.asLong() + step), false);
      }
    }
  }

  private void judge(
      RunningServer server,
      Operation operation,
      ObjectNode body,
      String name,
      JsonNode value,
      boolean isWithin)
      throws Exception {
    ObjectNode changed = body.deepCopy();
    changed.set(name, value);
    String path = operation.path().replace("{id}", "m03").replace("{missionId}", "m03");
    Reply reply =
        server.send(
            server.adminKey(), operation.method(), path, "application/json", changed.toString());
    String what = operation.method() + " " + path + " " + name + " " + value;
    judge(what.length() < 200 ? what : what.substring(0, 60), isWithin, reply);
  }

  private void judge(String what, boolean isWithin, Reply reply) {
    tried++;
    boolean isRefused = reply.status() == 400 || reply.status() == 413;
    boolean isTooMuch = isRefused && reply.json().path("reason").asString("").matches(TOO_MUCH);
    if (isWithin ? isTooMuch : !isRefused) {
      faults.add(what + ": " + reply);
    }
  }

  /** The object of a body that may also be an array of them. */
  private static JsonNode objectOf(ApiDocument document, JsonNode listed) {
    JsonNode schema = document.resolved(listed);
    for (JsonNode choice : schema.path("anyOf")) {
      JsonNode resolved = document.resolved(choice);
      if (resolved.has("properties")) {
        return resolved;
      }
    }
    return schema;
  }

  private static ApiDocument document(RunningServer server) throws Exception {
    return new ApiDocument(server.send("", "GET", "/openapi.yaml", "", "").body());
  }
}
