package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.ApiDocument.Operation;
import gilmok.app.RunningServer.Reply;
import gilmok.http.OwnershipRule;
import gilmok.http.Route;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Checks openapi.yaml against a running server, and the pages that are made from it. */
@Tag("server")
final class ApiDocumentIT {
  @TempDir Path data;

  @Test
  void document_hasEveryRouteWithItsScope_andNoOther() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Map<String, String> served = new TreeMap<>();
      for (Route route : server.server().routes()) {
        if (route.path().contains("?")) {
          continue; // The path without the parameter describes both.
        }
        served.put(
            route.method() + " " + route.path(),
            route.ownershipRule() == OwnershipRule.OPEN || route.scope() == null
                ? "[]"
                : "[" + route.scope().label() + "]");
      }
      Map<String, String> written = new TreeMap<>();
      document(server)
          .operations()
          .forEach((name, operation) -> written.put(name, operation.scopes().toString()));
      assertThat(written).isEqualTo(served);
    }
  }

  /** So that a key in the query is refused on all of the API, which only open routes ignore. */
  @Test
  void routesBelowV1_allNeedAKey() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(server.server().routes())
          .filteredOn(route -> route.path().startsWith("/v1"))
          .hasSizeGreaterThan(30)
          .noneMatch(route -> route.ownershipRule() == OwnershipRule.OPEN);
    }
  }

  @Test
  void requestExamples_areTaken_andAnsweredAsTheSchemaSays() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      ApiDocument document = document(server);
      int sent = 0;
      for (Operation operation : document.operations().values()) {
        for (var type : operation.node().path("requestBody").path("content").properties()) {
          for (JsonNode example : type.getValue().path("examples")) {
            JsonNode value = example.path("value");
            Reply reply =
                server.send(
                    server.adminKey(),
                    operation.method(),
                    filled(operation.path(), "unheard"),
                    type.getKey(),
                    value.isString() ? value.asString() : value.toString());
            String name = operation.path() + ": " + example.path("summary").asString();
            assertThat(reply.status()).as(name + " " + reply.body()).isIn(200, 201, 202);
            boolean isText = document.hasAnswer(operation, reply.status(), "text/plain");
            if (!isText || !reply.body().isEmpty()) {
              assertFits(document, operation, reply, "application/json", name);
            }
            sent++;
          }
        }
      }
      assertThat(sent).isGreaterThanOrEqualTo(7);
    }
  }

  @Test
  void answers_areAsTheDocumentSays_alsoRefusals() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      ApiDocument document = document(server);
      server.key(
          "{\"name\":\"n\",\"scopes\":[\"read\"],\"rider\":\"r\",\"expiresIn\":60,\"rate\":9}");
      server.post("/v1/traces", "{\"riderId\":\"r-7\",\"at\":1,\"lat\":1,\"lon\":1,\"x\":2}");
      for (Operation operation : document.operations().values()) {
        if (operation.scopes().isEmpty()) {
          continue;
        }
        String path = filled(operation.path(), "nobody");
        Reply keyless = server.send("", operation.method(), path, "", "");
        assertFits(document, operation, keyless, "application/problem+json", "no key " + path);
        if (isEndless(operation)) {
          continue;
        }
        Reply empty = server.send(server.adminKey(), operation.method(), path, "", "");
        if (empty.status() >= 400) {
          assertFits(document, operation, empty, "application/problem+json", "empty " + path);
        }
      }
      for (String path : List.of("/v1/keys", "/health/live", "/health/ready", "/version")) {
        Operation operation = Objects.requireNonNull(document.operations().get("GET " + path));
        assertFits(document, operation, server.get(path), "application/json", path);
      }
    }
  }

  /** A path with its parameters filled in. */
  private static String filled(String path, String id) {
    return path.replace("{id}", id).replace("{missionId}", id).replace("{relayId}", id + ":1");
  }

  @Test
  void pages_needNoKeyAndLoadNothing() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      for (String path : List.of("/docs", "/docs/errors")) {
        HttpResponse<String> page =
            client.send(HttpRequest.newBuilder(server.uri(path)).build(), BodyHandlers.ofString());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("content-security-policy"))
            .get()
            .asString()
            .startsWith("default-src 'none'; style-src 'sha256-");
        assertThat(page.body())
            .doesNotContain("<script", "<link", "<img", "src=", "http://", " style=");
      }
      HttpResponse<String> document =
          client.send(
              HttpRequest.newBuilder(server.uri("/openapi.yaml")).build(), BodyHandlers.ofString());
      assertThat(document.headers().firstValue("content-type")).contains("application/yaml");
    }
  }

  @Test
  void apiPage_showsEveryOperationAndEverySchema() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      String page = server.get("/docs").body();
      for (Operation operation : document(server).operations().values()) {
        assertThat(page)
            .contains("id=\"" + operation.node().path("operationId").asString() + "\"")
            .contains("<code>" + operation.path() + "</code>");
      }
      TreeSet<String> links = new TreeSet<>();
      java.util.regex.Matcher link =
          java.util.regex.Pattern.compile("href=\"#([^\"]+)\"").matcher(page);
      while (link.find()) {
        links.add(link.group(1));
      }
      assertThat(links).hasSizeGreaterThan(20);
      assertThat(links).allMatch(id -> page.contains("id=\"" + id + "\""));
    }
  }

  @Test
  void problemType_leadsToALineOfThePage() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      String type = server.get("/v1/riders/nobody/position").json().get("type").asString();
      assertThat(type).isEqualTo("/docs/errors#not-found");
      String[] parts = type.split("#", -1);
      assertThat(server.send("", "GET", parts[0], "", "").body())
          .contains("id=\"" + parts[1] + "\"");
    }
  }

  private static boolean isEndless(Operation operation) {
    return operation.node().path("responses").path("200").path("content").has("text/event-stream");
  }

  private static ApiDocument document(RunningServer server) throws Exception {
    return new ApiDocument(server.send("", "GET", "/openapi.yaml", "", "").body());
  }

  private static void assertFits(
      ApiDocument document, Operation operation, Reply reply, String type, String name) {
    JsonNode schema = document.answer(operation, reply.status(), type);
    assertThat(schema.isMissingNode())
        .as(name + ": " + reply.status() + " is not in the document")
        .isFalse();
    assertThat(document.faults(schema, reply.json())).as(name + " " + reply.body()).isEmpty();
  }
}
