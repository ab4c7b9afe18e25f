package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.deliveries.Step;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * For every route that uses a store, a request that succeeds. The routes that use none are listed
 * with the reason.
 */
final class StoreCases {
  private static final String COUNTED =
      "reads of the log what was not counted before: StoreFailureIT asks for that by itself";

  private static final String LOG_AND_FILES =
      "reads the log and files: HistoryFilesIT breaks those";

  /**
   * Routes that use no store, or not for each request, with the reason. A new route needs an entry
   * here or a request below.
   */
  static final Map<String, String> ASK_NONE =
      Map.ofEntries(
          Map.entry("GET /health/live", "says that it runs"),
          Map.entry("GET /health/ready", "says what was found out before"),
          Map.entry("GET /version", "a constant"),
          Map.entry("GET /metrics", "numbers in memory"),
          Map.entry("GET /v1/warmup", "what was found out before"),
          Map.entry("GET /v1/ops", "numbers in memory"),
          Map.entry("GET /v1/slow", "numbers in memory"),
          Map.entry("GET /v1/tee", "numbers in memory"),
          Map.entry("POST /v1/diagnose", "what the process and the machine tell"),
          Map.entry("GET /v1/backup/segments/{first}", "a file of the log"),
          Map.entry("GET /v1/backup/files/{index}", "a file of the copy"),
          Map.entry("DELETE /v1/backup", "files of the copy"),
          Map.entry("GET /v1/backup/segments", "the files of the log"),
          Map.entry("POST /v1/backup", "answers 200, and then says in a line that it failed"),
          Map.entry("GET /ops", "in the program"),
          Map.entry("GET /openapi.yaml", "in the program"),
          Map.entry("GET /openapi.json", "in the program"),
          Map.entry("GET /schemas/shipped-1.json", "in the program"),
          Map.entry("GET /schemas/parquet-1.json", "in the program"),
          Map.entry("GET /docs", "in the program"),
          Map.entry("GET /docs/errors", "in the program"),
          Map.entry("GET /", "in the program"),
          Map.entry("GET /assets/{version}/{file}", "in the program"),
          Map.entry("GET /map/tiles.pmtiles", "a file of its own"),
          Map.entry("POST /session", "keys are in memory"),
          Map.entry("GET /session", "keys are in memory"),
          Map.entry("DELETE /session", "the cookie is the session"),
          Map.entry("POST /v1/phones", "reckoned from what was sent"),
          Map.entry("GET /v1/keys", "keys are in memory"),
          Map.entry("GET /v1/devices", "devices are in memory"),
          Map.entry("GET /v1/devices/{id}", "devices are in memory"),
          Map.entry("GET /v1/riders/{id}/position", "positions are in memory"),
          Map.entry("GET /v1/riders", "positions are in memory"),
          Map.entry("GET /v1/stream/positions", "positions are in memory"),
          Map.entry("GET /track", "a link that was cut names no delivery"),
          Map.entry("GET /track/", "a link that was cut names no delivery"),
          Map.entry("POST /v1/run-sheets", "planned from what was sent"),
          Map.entry("GET /v1/missions", "missions are in memory"),
          Map.entry("GET /v1/missions/{id}", "missions are in memory"),
          Map.entry("GET /v1/exports", "their names"),
          Map.entry("GET /v1/riders/{id}/trace", LOG_AND_FILES),
          Map.entry("GET /v1/groups/{id}/trace", LOG_AND_FILES),
          Map.entry("GET /v1/riders/{id}/trips", LOG_AND_FILES),
          Map.entry("GET /v1/groups/{id}/trips", LOG_AND_FILES),
          Map.entry("GET /v1/riders/{id}/stays", LOG_AND_FILES),
          Map.entry("GET /v1/groups/{id}/stays", LOG_AND_FILES),
          Map.entry("GET /v1/logs", LOG_AND_FILES),
          Map.entry("GET /v1/performance", "a job is kept in a file of its own"),
          Map.entry("GET /v1/jobs/{id}", "jobs are in memory"),
          Map.entry("DELETE /v1/jobs/{id}", "a file of its own"),
          Map.entry("GET /v1/riders/{id}/data", "answers 200, and is cut off where it fails"),
          Map.entry("DELETE /v1/riders/{id}/data", "a job is kept in a file of its own"),
          Map.entry("GET /v1/erasures/{id}", "a file of its own"),
          Map.entry("GET /v1/ledger", COUNTED),
          Map.entry("GET /v1/sinks", COUNTED),
          Map.entry("GET /v1/sinks/{id}", COUNTED),
          Map.entry("PUT /v1/sinks/{id}", "for the running server only"),
          Map.entry("POST /v1/quarantine-replays", "begins what goes on by itself"),
          Map.entry("GET /v1/quarantine-replays/{id}", "how far it is, in memory"),
          Map.entry("POST /v1/quarantine/replay", "the same by its former path"),
          Map.entry("GET /v1/quarantine/replay/{id}", "the same by its former path"));

  private static final String MARCH = "?from=2026-03-01&to=2026-03-31";
  private static final String TRACE = "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}";

  private static final String LOCATION = "{\"_type\":\"location\",\"lat\":1,\"lon\":1,\"tst\":1}";

  private final RunningServer server;
  private final ToldPartner partner;
  private final Map<String, Case> all = new LinkedHashMap<>();

  /** A request: its method, target, body and {@code Accept}. */
  record Asked(String method, String target, String body, String accept) {
    Asked(String method, String target, String body) {
      this(method, target, body, "*/*");
    }
  }

  /** Prepares what a request needs, under an id of its own, and returns the request. */
  @FunctionalInterface
  interface Preparation {
    Asked of(String id) throws Exception;
  }

  /**
   * A request for a route.
   *
   * @param part the part of the server whose offload it takes a place of; empty if none
   */
  record Case(String part, Preparation preparation) {}

  StoreCases(RunningServer server, ToldPartner partner) throws Exception {
    this.server = server;
    this.partner = partner;
    good("PUT", "/v1/partners/told", partner.asJson());
    good("PUT", "/v1/missions/m", "{\"title\":\"m\"}");
    collecting();
    deliveries();
    partners();
    keysAndDevices();
    statements();
    missions();
    account();
  }

  /**
   * The requests, by method and path. Where a route has several, the others have a word after it.
   */
  Map<String, Case> all() {
    return all;
  }

  private void add(String part, String route, Preparation preparation) {
    assertThat(all.put(route, new Case(part, preparation))).as(route).isNull();
  }

  private void add(String part, String route, String body) {
    int blank = route.indexOf(' ');
    String path = route.substring(blank + 1);
    String method = route.substring(0, blank);
    add(part, route, id -> new Asked(method, path.replace("{id}", id), body));
  }

  private Reply good(String method, String target, String body) throws Exception {
    Reply reply = server.send(server.adminKey(), method, target, "application/json", body);
    assertThat(reply.status()).as(method + " " + target + ": " + reply.body()).isBetween(200, 299);
    return reply;
  }

  private void collecting() {
    add("", "POST /v1/traces", TRACE);
    add("", "POST /v1/actions", "{\"riderId\":\"r\",\"at\":1,\"type\":\"accept\"}");
    add("", "POST /v1/logs", "{\"riderId\":\"r\",\"at\":1,\"level\":\"info\",\"message\":\"m\"}");
    OwnershipIT.UPLOADS.forEach(
        (route, upload) -> {
          int blank = route.indexOf(' ');
          boolean isCard = upload.getLast().contains("card");
          String body = isCard ? LOCATION : upload.getLast();
          add(
              "",
              route,
              id ->
                  new Asked(
                      route.substring(0, blank),
                      route.substring(blank + 1) + upload.getFirst(),
                      body));
        });
  }

  private String delivery(String id) throws Exception {
    return good("POST", "/v1/deliveries", DeliveryRig.order(id, "told", ""))
        .json()
        .path("id")
        .asString();
  }

  private void deliveries() {
    String path = "/v1/deliveries";
    add("deliveries", "POST " + path, id -> new Asked("POST", path, DeliveryRig.order(id)));
    add("deliveries", "GET " + path, "");
    add("deliveries", "GET " + path + "/{id}", id -> new Asked("GET", one(id), ""));
    add("deliveries", "GET " + path + "/{id}/events", id -> asked("GET", one(id), "/events"));
    for (Step step : Step.values()) {
      if (step != Step.CREATE) {
        add("deliveries", "POST " + path + "/{id}/" + step.label(), id -> step(one(id), step));
      }
    }
    add("track", "POST " + path + "/{id}/track", id -> asked("POST", one(id), "/track"));
    add(
        "track",
        "GET /track/{token}",
        id -> {
          String token = good("POST", one(id) + "/track", "").json().path("token").asString();
          return new Asked("GET", "/track/" + token, "", "application/json");
        });
    add("run_sheets", "GET /v1/riders/{id}/run-sheet", "");
  }

  private String one(String id) throws Exception {
    return "/v1/deliveries/" + delivery(id);
  }

  private static Asked asked(String method, String path, String more) {
    return new Asked(method, path + more, "");
  }

  /** Brings a new delivery to the state before a step; returns the request for that step. */
  private Asked step(String one, Step step) throws Exception {
    List<Step> before =
        switch (step) {
          case CREATE, ACCEPT, DECLINE, CANCEL -> List.of();
          case ASSIGN, FAIL -> List.of(Step.ACCEPT);
          case UNASSIGN, PICK_UP -> List.of(Step.ACCEPT, Step.ASSIGN);
          case COMPLETE -> List.of(Step.ACCEPT, Step.ASSIGN, Step.PICK_UP);
        };
    for (Step earlier : before) {
      good("POST", one + "/" + earlier.label(), rider(earlier));
    }
    return new Asked("POST", one + "/" + step.label(), rider(step));
  }

  private static String rider(Step step) {
    return step == Step.ASSIGN ? "{\"riderId\":\"r\"}" : "";
  }

  private void partners() {
    String path = "/v1/partners/{id}";
    add("partners", "PUT " + path, partner.asJson());
    add("partners", "GET " + path, id -> new Asked("GET", "/v1/partners/told", ""));
    add("partners", "GET " + path + "/relays", id -> asked("GET", "/v1/partners/told", "/relays"));
    add(
        "redeliveries",
        "POST " + path + "/relays/{relayId}/redeliver",
        id -> asked("POST", "/v1/partners/told/relays/" + delivery(id), ":1/redeliver"));
    add(
        "partners",
        "POST " + path + "/retry-now",
        id -> new Asked("POST", "/v1/partners/told/retry-now", ""));
    add(
        "partners",
        "POST " + path + "/replay",
        id -> new Asked("POST", "/v1/partners/told/replay", "{\"from\":\"2026-03-01T00:00:00Z\"}"));
  }

  private static String key(String id) {
    return "{\"name\":\"" + id + "\",\"scopes\":[\"read\"]}";
  }

  private void keysAndDevices() {
    add("keys", "POST /v1/keys", id -> new Asked("POST", "/v1/keys", key(id)));
    add(
        "keys",
        "DELETE /v1/keys/{id}",
        id -> {
          String made = good("POST", "/v1/keys", key(id)).json().path("id").asString();
          return new Asked("DELETE", "/v1/keys/" + made, "");
        });
    String path = "/v1/devices/{id}";
    add("devices", "PUT " + path, "{\"riderId\":\"r\"}");
    add(
        "devices",
        "DELETE " + path,
        id -> {
          good("PUT", "/v1/devices/" + id, "{\"riderId\":\"r\"}");
          return new Asked("DELETE", "/v1/devices/" + id, "");
        });
    add("devices", "POST " + path + "/commands", "{\"type\":\"report\"}");
    add("records", "GET /v1/privacy/records", "");
    String consent = "/v1/riders/{id}/consent";
    add("consents", "PUT " + consent, "{\"state\":\"granted\"}");
    add(
        "consents",
        "GET " + consent,
        id -> {
          good("PUT", "/v1/riders/" + id + "/consent", "{\"state\":\"granted\"}");
          return new Asked("GET", "/v1/riders/" + id + "/consent", "");
        });
  }

  private void statements() {
    add(
        "statements",
        "POST /v1/statement-entries",
        id -> new Asked("POST", "/v1/statement-entries", entry(id)));
    String path = "GET /v1/riders/{id}/statement";
    add("statements", path, id -> asked("GET", "/v1/riders/r/statement", MARCH));
    add(
        "statements",
        path + " with entries",
        id -> asked("GET", "/v1/riders/r/statement", MARCH + "&entries=true"));
  }

  private static String entry(String id) {
    return "{\"id\":\"%s\",\"riderId\":\"r\",\"at\":\"%s\",\"kind\":\"fee\",\"amount\":1}"
        .formatted(id, "2026-03-05T00:00:00Z");
  }

  private void missions() {
    String path = "/v1/riders/{id}/missions";
    add("missions", "GET " + path, "");
    add(
        "missions",
        "POST " + path + "/settle",
        id -> {
          good("PUT", "/v1/riders/" + id + "/missions/m/progress", "{\"fulfilled\":true}");
          return asked("POST", "/v1/riders/" + id, "/missions/settle");
        });
    add(
        "missions",
        "PUT " + path + "/{missionId}/progress",
        id -> new Asked("PUT", "/v1/riders/" + id + "/missions/m/progress", "{\"count\":1}"));
    String profile = "/v1/riders/{id}/profile";
    add("missions", "PUT " + profile, "{\"level\":1}");
    add(
        "missions",
        "GET " + profile,
        id -> {
          good("PUT", "/v1/riders/" + id + "/profile", "{\"level\":1}");
          return asked("GET", "/v1/riders/" + id, "/profile");
        });
    add("missions", "PUT /v1/missions/{id}", "{\"riders\":[\"nobody\"]}");
  }

  private void account() {
    add(
        "performance",
        "GET /v1/riders/{id}/performance",
        id -> asked("GET", "/v1/riders/r/performance", "?from=2026-03-01&to=2026-03-01"));
    add(
        "transfer",
        "GET /v1/exports/{dataset}",
        id -> new Asked("GET", "/v1/exports/statement-entries", ""));
    add(
        "transfer",
        "POST /v1/imports/{dataset}",
        id -> new Asked("POST", "/v1/imports/statement-entries", "[" + entry(id) + "]"));
    add("audit", "GET /v1/audit", id -> new Asked("GET", "/v1/audit", ""));
    add(
        "ledger",
        "GET /v1/receipts/{id}",
        id -> {
          good("POST", "/v1/traces", TRACE);
          return asked("GET", "/v1/receipts/" + server.server().facts().node(), ":1");
        });
    add(
        "ledger",
        "GET /v1/quarantine",
        id -> {
          aside(id);
          return new Asked("GET", "/v1/quarantine", "");
        });
    add(
        "ledger",
        "POST /v1/quarantine/{id}/replay",
        id ->
            new Asked(
                "POST",
                "/v1/quarantine/" + aside(id) + "/replay",
                TRACE.replace("\"r\"", "\"" + id + "\"")));
    String sink = "/v1/sinks/{id}";
    add("ledger", "DELETE " + sink, id -> new Asked("DELETE", "/v1/sinks/files-old", ""));
    add("ledger", "POST " + sink + "/pause", id -> asked("POST", "/v1/sinks/files", "/pause"));
    add("ledger", "POST " + sink + "/resume", id -> asked("POST", "/v1/sinks/files", "/resume"));
    add(
        "ledger",
        "POST " + sink + "/rewind",
        id -> new Asked("POST", "/v1/sinks/files/rewind", "{\"time\":\"2026-03-01T00:00:00Z\"}"));
  }

  /** Makes a record go into quarantine; returns its sequence. */
  private String aside(String id) throws Exception {
    String wrong = TRACE.replace("\"r\"", "\"" + id + "\"").replace("\"lat\":1", "\"lat\":1000");
    good("POST", "/v1/traces", "[" + TRACE.replace("\"r\"", "\"x" + id + "\"") + "," + wrong + "]");
    JsonNode items = good("GET", "/v1/quarantine?limit=1000", "").json().path("items");
    return items.path(items.size() - 1).path("sequence").asString();
  }

  /** Sends a request; returns the answer's status. */
  int status(Asked asked) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(asked.target()))
            .method(asked.method(), BodyPublishers.ofString(asked.body()))
            .timeout(Duration.ofSeconds(30))
            .header("X-Api-Key", server.adminKey())
            .header("Accept", asked.accept())
            .header("Content-Type", "application/json");
    return server.status(request.build());
  }
}
