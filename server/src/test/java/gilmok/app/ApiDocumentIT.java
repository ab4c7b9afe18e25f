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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Checks openapi.yaml against a running server, and the pages that are made from it. */
@Tag("server")
final class ApiDocumentIT {
  @TempDir static Path data;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.start(data);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void document_hasEveryRouteWithItsScope_andNoOther() throws Exception {
    Map<String, String> served = new TreeMap<>();
    for (Route route : server.server().routes()) {
      if (route.path().contains("?")) {
        continue; // The path without the parameter describes both.
      }
      if (route.path().startsWith("/v1/quarantine/replay")) {
        continue; // The former path of quarantine-replays.
      }
      if (route.path().equals("/track") || route.path().equals("/track/")) {
        continue; // A link that was cut: the path with a token describes its refusal.
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

  /** So that a key in the query is refused on all of the API, which only open routes ignore. */
  @Test
  void routesBelowV1_allNeedAKey() throws Exception {
    assertThat(server.server().routes())
        .filteredOn(route -> route.path().startsWith("/v1"))
        .hasSizeGreaterThan(30)
        .noneMatch(route -> route.ownershipRule() == OwnershipRule.OPEN);
  }

  @Test
  void requestExamples_areTaken_andAnsweredAsTheSchemaSays() throws Exception {
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

  @Test
  void answers_areAsTheDocumentSays_alsoRefusals() throws Exception {
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
      String asked = path + (path.equals("/v1/diagnose") ? "?seconds=1" : "");
      Reply empty = server.send(server.adminKey(), operation.method(), asked, "", "");
      if (empty.status() >= 400) {
        assertFits(document, operation, empty, "application/problem+json", "empty " + path);
      }
    }
    String oneWrong = "[{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1},{\"riderId\":\"r\"}]";
    Operation traces = Objects.requireNonNull(document.operations().get("POST /v1/traces"));
    Reply taken = server.post("/v1/traces", oneWrong);
    assertThat(taken.json().path("quarantined").size()).isEqualTo(1);
    assertFits(document, traces, taken, "application/json", "one of two");
    for (String path : List.of("/v1/keys", "/health/live", "/health/ready", "/version")) {
      Operation operation = Objects.requireNonNull(document.operations().get("GET " + path));
      assertFits(document, operation, server.get(path), "application/json", path);
    }
  }

  @Test
  void operationsThatTakeNoBody_refuseOneAsTheDocumentSays() throws Exception {
    ApiDocument document = document(server);
    int tried = 0;
    for (Operation operation : document.operations().values()) {
      if (operation.scopes().isEmpty() && operation.node().path("responses").has("413")) {
        Reply refused = server.send("", operation.method(), operation.path(), "", "a body");
        assertThat(refused.status()).as(operation.path()).isEqualTo(413);
        assertFits(document, operation, refused, "application/problem+json", operation.path());
        tried++;
      }
    }
    assertThat(tried).isEqualTo(11);
  }

  /** A filter that is misspelt, or given twice, would be ignored. */
  @Test
  void queryParameters_areThoseOfTheDocument_andNoOthersAreTaken() throws Exception {
    ApiDocument document = document(server);
    int checked = 0;
    for (Route route : server.server().routes()) {
      Operation operation = document.operations().get(route.method() + " " + route.path());
      if (operation == null
          || !route.path().startsWith("/v1/")
          || route.ownershipRule() == OwnershipRule.PHONE) {
        continue;
      }
      List<String> own = new ArrayList<>();
      for (JsonNode listed : operation.node().path("parameters")) {
        JsonNode parameter = document.resolved(listed);
        if (parameter.path("in").asString("").equals("query")) {
          own.add(parameter.path("name").asString());
        }
      }
      assertThat(route.queryParameters().stream().map(name -> name.replace("*", "")))
          .as(route.path())
          .containsExactlyInAnyOrderElementsOf(own);
      assertRefused(server, operation, "zz%7A=1", "zzz", "is not a parameter of this route");
      assertRefused(server, operation, "&%22", "\"", "is not a parameter of this route");
      for (String name : own) {
        String query = name + "=1&&" + name;
        boolean isMany = route.queryParameters().contains(name + "*");
        assertRefused(
            server,
            operation,
            isMany ? query + "&zzz" : query,
            isMany ? "zzz" : name,
            isMany ? "is not a parameter of this route" : "given twice");
      }
      checked++;
    }
    assertThat(checked).isGreaterThan(50);
  }

  private static void assertRefused(
      RunningServer server, Operation operation, String query, String field, String reason)
      throws Exception {
    String path = filled(operation.path(), "nobody") + "?" + query;
    Reply reply = server.send(server.adminKey(), operation.method(), path, "", "");
    assertThat(reply.status()).as(operation.method() + " " + path).isEqualTo(400);
    assertThat(reply.json().path("field").asString()).isEqualTo(field);
    assertThat(reply.json().path("reason").asString()).isEqualTo(reason);
    assertThat(reply.json().path("detail").asString()).isEqualTo(field + ": " + reason);
  }

  /** A path with its parameters filled in. */
  private static String filled(String path, String id) {
    return path.replace("{relayId}", id + ":1").replaceAll("\\{\\w+}", id);
  }

  @Test
  void pages_needNoKeyAndLoadNothing() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String path : List.of("/docs", "/docs/errors")) {
        HttpResponse<String> page =
            client.send(HttpRequest.newBuilder(server.uri(path)).build(), BodyHandlers.ofString());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("content-security-policy"))
            .get()
            .asString()
            .startsWith("default-src 'none'; style-src 'sha256-");
        assertThat(page.body()).doesNotContain("<link", "<img", "src=", "http://", " style=");
        assertScriptsAreNamed(page);
      }
    }
  }

  /** The policy names the hash of each script of the page, and no other. */
  private static void assertScriptsAreNamed(HttpResponse<String> page) throws Exception {
    List<String> hashes = new ArrayList<>();
    Matcher script = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL).matcher(page.body());
    while (script.find()) {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(script.group(1).getBytes(StandardCharsets.UTF_8));
      hashes.add("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'");
    }
    String policy = page.headers().firstValue("content-security-policy").orElseThrow();
    String named = policy.contains("script-src") ? policy.split("script-src ", -1)[1] : ";";
    assertThat(named.substring(0, named.indexOf(';'))).isEqualTo(String.join(" ", hashes));
    assertThat(page.body().split("<script", -1)).hasSize(hashes.size() + 1);
  }

  @Test
  void document_isServedAsJsonToo_andSentOnce() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String type : List.of("yaml", "json")) {
        HttpRequest.Builder request =
            HttpRequest.newBuilder(server.uri("/openapi." + type))
                .header("Accept-Encoding", "gzip");
        HttpResponse<Void> first = client.send(request.build(), BodyHandlers.discarding());
        assertThat(first.headers().firstValue("content-type")).contains("application/" + type);
        assertThat(first.headers().firstValue("content-encoding")).contains("gzip");
        String tag = first.headers().firstValue("etag").orElseThrow();
        assertThat(server.status(request.header("If-None-Match", tag).build())).isEqualTo(304);
      }
      JsonNode json = server.get("/openapi.json").json();
      assertThat(document(server).root()).isEqualTo(json);
      List<String> references = json.findValuesAsString("$ref");
      assertThat(references).hasSizeGreaterThan(400);
      assertThat(references).allMatch(to -> to.startsWith("#/components/"));
    }
  }

  @Test
  void apiPage_showsEveryOperationAndEverySchema() throws Exception {
    String page = server.get("/docs").body();
    for (Operation operation : document(server).operations().values()) {
      assertThat(page)
          .contains("id=\"" + operation.node().path("operationId").asString() + "\"")
          .contains("<code>" + operation.path() + "</code>");
    }
    TreeSet<String> links = new TreeSet<>();
    Matcher link = Pattern.compile("href=\"#([^\"]+)\"").matcher(page);
    while (link.find()) {
      links.add(link.group(1));
    }
    assertThat(links).hasSizeGreaterThan(20);
    assertThat(links).allMatch(id -> page.contains("id=\"" + id + "\""));
  }

  @Test
  void problemType_leadsToALineOfThePage() throws Exception {
    String type = server.get("/v1/riders/nobody/position").json().get("type").asString();
    assertThat(type).isEqualTo("/docs/errors#not-found");
    String[] parts = type.split("#", -1);
    assertThat(server.send("", "GET", parts[0], "", "").body()).contains("id=\"" + parts[1] + "\"");
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
