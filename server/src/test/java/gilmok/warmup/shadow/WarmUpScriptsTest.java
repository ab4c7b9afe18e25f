package gilmok.warmup.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.warmup.ResponseCapture;
import gilmok.warmup.ScriptRequest;
import gilmok.warmup.ScriptRequest.Form;
import gilmok.warmup.ScriptRequest.Packing;
import gilmok.warmup.WarmUpScript;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The texts of the warm-up scripts: no branch can be taken out of them unnoticed. */
@Tag("unit")
final class WarmUpScriptsTest {
  private static final List<String> FOLDERS =
      List.of(
          "collect",
          "positions",
          "deliveries",
          "statements",
          "missions",
          "runsheet",
          "warmup/shadow");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^}]*)}}");
  private static final Set<String> GIVEN =
      Set.of(
          "n",
          "again",
          "lane",
          "rider",
          "digits",
          "now",
          "seconds",
          "time",
          "today",
          "admin",
          "fleet",
          "fleet-basic",
          "reader",
          "collector",
          "rider-key",
          "rider-key-basic",
          "rider-desk",
          "shop-key",
          "agency-key",
          "slow",
          "given",
          "port",
          "phone");

  private final Map<String, WarmUpScript> scripts = new LinkedHashMap<>();

  WarmUpScriptsTest() throws IOException {
    for (String folder : FOLDERS) {
      try (InputStream in =
          WarmUpScriptsTest.class.getResourceAsStream("/gilmok/" + folder + "/warmup.http")) {
        assertThat(in).as(folder).isNotNull();
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        scripts.put(folder, WarmUpScript.parse(folder, text));
      }
    }
  }

  @Test
  void placeholders_areKnownByThen() {
    for (WarmUpScript script : scripts.values()) {
      Set<String> known = new HashSet<>(GIVEN);
      for (ScriptRequest request : script.shots()) {
        Matcher names =
            PLACEHOLDER.matcher(
                request.path() + String.join("\n", request.headers()) + request.body().text());
        while (names.find()) {
          assertThat(known).as(script.name() + ", " + request.name()).contains(names.group(1));
        }
        request.remembers().stream().map(ResponseCapture::name).forEach(known::add);
      }
    }
  }

  @Test
  void names_areDifferentInOneScript() {
    for (WarmUpScript script : scripts.values()) {
      assertThat(script.shots().stream().map(ScriptRequest::name))
          .as(script.name())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void everyCredential_isShown() {
    List<Predicate<ScriptRequest>> credentials = new ArrayList<>();
    for (String key : new String[] {"fleet", "rider-key", "shop-key", "agency-key", "admin"}) {
      credentials.add(header("X-Api-Key: {{" + key + "}}"));
    }
    credentials.add(header("X-Api-Key: {{reader}}"));
    credentials.add(header("Authorization: Bearer {{fleet}}"));
    credentials.add(header("Authorization: Bearer {{rider-key}}"));
    credentials.add(header("Authorization: Basic {{fleet-basic}}"));
    credentials.add(header("Authorization: Basic {{rider-key-basic}}"));
    credentials.add(request -> request.path().contains("key={{fleet}}"));
    credentials.add(request -> request.path().contains("key={{rider-key}}"));
    credentials.add(form().and(request -> request.body().text().endsWith("key={{fleet}}")));
    credentials.add(request -> header(request, "Cookie: ").contains("gilmok_session={{session}}"));
    for (int i = 0; i < credentials.size(); i++) {
      assertThat(all()).as("credential " + i).anyMatch(good().and(credentials.get(i)));
    }
  }

  @Test
  void everyEncoding_isSentAndAnswered() {
    for (String part : List.of("collect", "deliveries", "statements")) {
      for (Packing packing : Packing.values()) {
        assertThat(shots(part))
            .as(part + " " + packing)
            .anyMatch(
                good()
                    .and(
                        request ->
                            !request.body().text().isEmpty()
                                && request.body().packing() == packing));
      }
    }
    for (String part :
        List.of("positions", "deliveries", "statements", "missions", "warmup/shadow")) {
      Predicate<ScriptRequest> asks = good().and(request -> request.method().equals("GET"));
      assertThat(shots(part)).as(part).anyMatch(asks.and(request -> coding(request).isEmpty()));
      assertThat(shots(part))
          .as(part)
          .anyMatch(asks.and(request -> coding(request).endsWith("br")));
      assertThat(shots(part))
          .as(part)
          .anyMatch(asks.and(request -> coding(request).endsWith("zstd")));
    }
    for (String target : List.of("POST /v1/traces", "POST /v1/logs", "POST /v1/actions")) {
      for (Form form : Form.values()) {
        assertThat(shots("collect"))
            .as(target + " " + form)
            .anyMatch(good().and(to(target)).and(request -> request.body().form() == form));
      }
    }
    assertThat(shots("collect")).anyMatch(header("Transfer-Encoding: chunked"));
  }

  @Test
  void everyDialect_isSpoken() {
    List<ScriptRequest> collect = shots("collect");
    for (String door :
        List.of(
            "GET /osmand?id=",
            "GET /osmand?deviceid=",
            "POST /osmand?",
            "GET /?id=",
            "GET /?deviceid=",
            "GET /gpslogger?")) {
      assertThat(collect)
          .as(door)
          .anyMatch(
              good().and(request -> (request.method() + " " + request.path()).startsWith(door)));
    }
    for (String door : List.of("POST /", "POST /osmand", "POST /gpslogger")) {
      assertThat(collect).as(door).anyMatch(good().and(form()).and(to(door)));
      assertThat(collect)
          .as(door)
          .anyMatch(
              good()
                  .and(to(door))
                  .and(request -> request.body().text().startsWith("{\"location\":{")));
    }
    Predicate<ScriptRequest> flat =
        request -> request.body().text().startsWith("{\"id\":") && request.body().copies() > 1;
    assertThat(collect).anyMatch(good().and(to("POST /osmand")).and(flat));
    for (String said :
        List.of("\"location\":[", "\"uuid\":", "\"geofence\":", "\"is_heartbeat\":true")) {
      assertThat(collect)
          .as(said)
          .anyMatch(good().and(request -> request.body().text().contains(said)));
    }
    for (String type :
        List.of(
            "location",
            "transition",
            "waypoint",
            "waypoints",
            "lwt",
            "status",
            "steps",
            "card",
            "beacon",
            "request",
            "encrypted",
            "configuration")) {
      String said = "{\"_type\":\"" + type + "\"";
      assertThat(collect)
          .as(said)
          .anyMatch(good().and(request -> request.body().text().startsWith(said)));
    }
    Predicate<ScriptRequest> overland = good().and(to("POST /overland"));
    assertThat(collect)
        .anyMatch(overland.and(request -> request.body().text().contains("\"current\":")));
    assertThat(collect)
        .anyMatch(overland.and(request -> request.body().text().contains("\"trip\":")));
  }

  @Test
  void commonRefusals_areCaused() {
    Map<String, Set<Integer>> caused =
        Map.of(
            "collect", Set.of(400, 401, 403, 404, 405, 409, 413, 415, 429),
            "positions", Set.of(400, 401, 403, 404, 405),
            "deliveries", Set.of(304, 400, 401, 403, 404, 409, 413, 415, 422),
            "statements", Set.of(400, 401, 403),
            "missions", Set.of(304, 400, 401, 403, 404, 413),
            "runsheet", Set.of(400, 401, 403),
            "warmup/shadow", Set.of(304, 400, 401, 403, 404, 409, 413, 415));
    caused.forEach(
        (part, statuses) ->
            assertThat(shots(part).stream().map(request -> request.expected().getFirst()))
                .as(part)
                .containsAll(statuses));
  }

  private List<ScriptRequest> shots(String part) {
    return scripts.getOrDefault(part, new WarmUpScript(part, List.of())).shots();
  }

  private List<ScriptRequest> all() {
    return scripts.values().stream().map(WarmUpScript::shots).flatMap(List::stream).toList();
  }

  private static Predicate<ScriptRequest> good() {
    return request -> request.expected().getFirst() < 300;
  }

  private static Predicate<ScriptRequest> to(String target) {
    return request -> request.target().equals(target);
  }

  private static Predicate<ScriptRequest> header(String line) {
    return request -> request.headers().contains(line);
  }

  private static Predicate<ScriptRequest> form() {
    return header("Content-Type: application/x-www-form-urlencoded");
  }

  private static String coding(ScriptRequest request) {
    return header(request, "Accept-Encoding: ");
  }

  private static String header(ScriptRequest request, String name) {
    return request.headers().stream().filter(line -> line.startsWith(name)).findFirst().orElse("");
  }
}
