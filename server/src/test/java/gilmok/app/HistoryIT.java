package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The past, asked of a server that has it in its log alone. */
@Tag("server")
final class HistoryIT {
  /** The field that is wrong, and the question. */
  private static final List<String> BAD =
      List.of(
          "format format=xml",
          "limit format=gpx&limit=5",
          "cursor format=csv&cursor=x",
          "simplify simplify=-1",
          "simplify simplify=NaN",
          "simplify simplify=1e9",
          "limit limit=0",
          "limit limit=100001",
          "from from=yesterday",
          "to to=-1",
          "to from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z",
          "to from=2026-03-01T00:00:00Z&to=2026-03-01T00:00:00Z",
          "to from=2020-01-01T00:00:00Z&to=2026-03-01T00:00:00Z",
          "to from=0",
          "date date=2026-3-1",
          "date date=2026-02-30",
          "date date=2026-03-01&from=1",
          "cursor cursor=x",
          "form form=gpx");

  private final long begin = Instant.now().toEpochMilli() / 1000 * 1000 - 3_600_000;
  private final String span = "from=" + begin + "&to=" + (begin + 1_800_000);

  @TempDir Path data;
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.start(data);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private String point(String rider, long second) {
    return "{\"riderId\":\"%s\",\"at\":%d,\"lat\":37.5,\"lon\":%s,\"speed\":3.5}"
        .formatted(rider, begin + 1000 * second, 127 + second / 1e4);
  }

  private void post(String... points) throws Exception {
    assertThat(server.post("/v1/traces", "[" + String.join(",", points) + "]").status())
        .isEqualTo(202);
  }

  private List<Long> seconds(JsonNode page) {
    List<Long> seconds = new ArrayList<>();
    page.path("items")
        .forEach(
            item ->
                seconds.add(
                    (Instant.parse(item.path("at").asString()).toEpochMilli() - begin) / 1000));
    return seconds;
  }

  private JsonNode trace(String query) throws Exception {
    Reply reply = server.get("/v1/riders/r1/trace?" + query);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  @Test
  void positions_areReadAtOnce_inOrder_eachOnce_ofTheirRiderAlone() throws Exception {
    post(point("r1", 5), point("r2", 1), point("r1", 1));
    post(point("r1", 3), point("r1", 5));
    post(point("r1", 1), point("r1", 1800), point("r1", -1));
    JsonNode page = trace(span);
    assertThat(seconds(page)).containsExactly(1L, 3L, 5L);
    assertThat(page.path("next").isNull()).isTrue();
    JsonNode first = page.path("items").get(0);
    assertThat(first.path("riderId").asString()).isEqualTo("r1");
    assertThat(first.path("speed").asDouble()).isEqualTo(3.5);
    assertThat(seconds(server.get("/v1/riders/r1/trace").json())).contains(1L, 3L, 5L, 1800L);
    server.close();
    server = RunningServer.start(data);
    assertThat(seconds(trace(span))).containsExactly(1L, 3L, 5L);
  }

  @Test
  void unknownRider_hasAnEmptyPast() throws Exception {
    assertThat(seconds(trace(span))).isEmpty();
  }

  @Test
  void pages_followEachOther_andNeedNoTimes() throws Exception {
    post(IntStream.range(0, 25).mapToObj(i -> point("r1", i)).toArray(String[]::new));
    List<Long> all = new ArrayList<>();
    JsonNode page = trace(span + "&limit=10");
    int pages = 1;
    while (!page.path("next").isNull()) {
      all.addAll(seconds(page));
      page = trace("limit=10&cursor=" + page.path("next").asString());
      pages++;
    }
    all.addAll(seconds(page));
    assertThat(all).isEqualTo(IntStream.range(0, 25).mapToObj(i -> (long) i).toList());
    assertThat(pages).isEqualTo(3);
  }

  @Test
  void cursor_ofAnotherQuestion_isRefused() throws Exception {
    post(point("r1", 1), point("r1", 2), point("r2", 1), point("r2", 2));
    String cursor = trace(span + "&limit=1").path("next").asString();
    for (String other :
        List.of(
            "/v1/riders/r2/trace?cursor=",
            "/v1/riders/r1/trace?from=" + (begin + 1) + "&cursor=",
            "/v1/riders/r1/trace?simplify=5&cursor=",
            "/v1/logs?cursor=")) {
      Reply reply = server.get(other + cursor);
      assertThat(reply.status()).as(other).isEqualTo(400);
      assertThat(reply.json().path("field").asString()).isEqualTo("cursor");
    }
  }

  @Test
  void badQuestion_isToldWhatIsWrong() throws Exception {
    for (String row : BAD) {
      String[] parts = row.split(" ", 2);
      Reply reply = server.get("/v1/riders/r1/trace?" + parts[1]);
      assertThat(reply.status()).as(row + reply.body()).isEqualTo(400);
      assertThat(reply.json().path("field").asString()).as(row).isEqualTo(parts[0]);
      assertThat(reply.json().path("reason").asString()).as(row).isNotEmpty();
    }
  }

  @Test
  void clocksOf1970_areAnswered() throws Exception {
    post("{\"riderId\":\"r1\",\"at\":1000,\"lat\":1,\"lon\":1}");
    assertThat(seconds(trace("from=0&to=86400000"))).isEmpty(); // it came too late for that day
    assertThat(seconds(trace("date=1970-01-01"))).isEmpty();
  }

  @Test
  void date_isADayOfTheFleet() throws Exception {
    String date =
        Instant.ofEpochMilli(begin).atZone(ZoneId.of("Asia/Seoul")).toLocalDate().toString();
    post(point("r1", 1));
    assertThat(seconds(trace("date=" + date))).containsExactly(1L);
  }

  @Test
  void eachFormat_hasItsType() throws Exception {
    post(point("r1", 1), point("r1", 2));
    for (String format : List.of("json", "geojson", "gpx", "csv")) {
      HttpResponse<String> response = asked("/v1/riders/r1/trace?" + span + "&format=" + format);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Type"))
          .contains(
              switch (format) {
                case "json" -> "application/json";
                case "geojson" -> "application/geo+json";
                case "gpx" -> "application/gpx+xml";
                default -> "text/csv";
              });
      assertThat(response.headers().firstValue("Cache-Control")).contains("private, no-cache");
    }
  }

  private HttpResponse<String> asked(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path)).header("X-Api-Key", server.adminKey());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  @Test
  void tag_isTheSameUntilAPointComes_forWhicheverForm() throws Exception {
    post(point("r1", 1), point("r1", 2));
    String path = "/v1/riders/r1/trace?" + span;
    String tag = asked(path).headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> again = asked(path, "If-None-Match", tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.headers().firstValue("ETag")).contains(tag);
    assertThat(asked(path + "&format=csv").headers().firstValue("ETag").orElseThrow())
        .isNotEqualTo(tag);
    post(point("r2", 3));
    assertThat(asked(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    post(point("r1", 0));
    HttpResponse<String> late = asked(path, "If-None-Match", tag);
    assertThat(late.statusCode()).isEqualTo(200);
    assertThat(late.headers().firstValue("ETag").orElseThrow()).isNotEqualTo(tag);
  }

  @Test
  void aLongAnswer_isStreamedToItsEnd() throws Exception {
    int points = 40_000;
    for (int from = 0; from < points; from += 8_000) {
      post(
          IntStream.range(from, from + 8_000)
              .mapToObj(
                  i ->
                      "{\"riderId\":\"r1\",\"at\":%d,\"lat\":37.5,\"lon\":127,\"speed\":%d}"
                          .formatted(begin + i, i % 50))
              .toArray(String[]::new));
    }
    String csv = asked("/v1/riders/r1/trace?" + span + "&format=csv").body();
    List<String> lines = csv.lines().skip(1).toList();
    assertThat(lines.stream().map(line -> Instant.parse(line.split(",", -1)[1])))
        .hasSize(points)
        .isSorted();
    assertThat(trace(span + "&limit=100000").path("items").size()).isEqualTo(points);
  }

  @Test
  void group_isItsRidersOneAfterTheOther() throws Exception {
    for (String phone : List.of("p2", "p1")) {
      String body = "{\"riderId\":\"r" + phone.charAt(1) + "\",\"group\":\"north\"}";
      Reply tied =
          server.send(server.adminKey(), "PUT", "/v1/devices/" + phone, "application/json", body);
      assertThat(tied.status()).isEqualTo(200);
    }
    post(point("r2", 1), point("r1", 2), point("r3", 3), point("r2", 4), point("r1", 5));
    String riders = String.join(" ", riders(server.get("/v1/groups/north/trace?" + span).json()));
    assertThat(riders).isEqualTo("r1 2 r1 5 r2 1 r2 4");
    List<String> paged = new ArrayList<>();
    JsonNode page = server.get("/v1/groups/north/trace?" + span + "&limit=1").json();
    while (!page.path("next").isNull()) {
      paged.addAll(riders(page));
      page =
          server
              .get("/v1/groups/north/trace?limit=1&cursor=" + page.path("next").asString())
              .json();
    }
    paged.addAll(riders(page));
    assertThat(String.join(" ", paged)).isEqualTo(riders);
    assertThat(server.get("/v1/groups/south/trace").status()).isEqualTo(404);
  }

  private List<String> riders(JsonNode page) {
    List<Long> seconds = seconds(page);
    return IntStream.range(0, seconds.size())
        .mapToObj(i -> page.path("items").get(i).path("riderId").asString() + " " + seconds.get(i))
        .collect(Collectors.toList());
  }

  @Test
  void logLines_areFound_theNewestFirst() throws Exception {
    for (int i = 0; i < 5; i++) {
      String line =
          "{\"riderId\":\"r%d\",\"at\":%d,\"level\":\"%s\",\"message\":\"GPS lost %d\"}"
              .formatted(i % 2, begin + 1000 * i, i == 3 ? "ERROR" : "info", i);
      assertThat(server.post("/v1/logs", line).status()).isEqualTo(202);
    }
    assertThat(lines("")).containsExactly("4", "3", "2", "1", "0");
    assertThat(lines("&rider=r1")).containsExactly("3", "1");
    assertThat(lines("&level=error,warn")).containsExactly("3");
    assertThat(lines("&q=gps%20LOST")).hasSize(5);
    assertThat(lines("&q=lost%202")).containsExactly("2");
    assertThat(lines("&q=found")).isEmpty();
    JsonNode first = server.get("/v1/logs?limit=2&" + span).json();
    JsonNode second = server.get("/v1/logs?limit=2&cursor=" + first.path("next").asString()).json();
    JsonNode third = server.get("/v1/logs?limit=2&cursor=" + second.path("next").asString()).json();
    assertThat(numbers(first)).containsExactly("4", "3");
    assertThat(numbers(second)).containsExactly("2", "1");
    assertThat(numbers(third)).containsExactly("0");
    assertThat(third.path("next").isNull()).isTrue();
    assertThat(server.get("/v1/logs?level=a,,b").json().path("field").asString())
        .isEqualTo("level");
    assertThat(server.get("/v1/logs?q=" + "x".repeat(201)).json().path("field").asString())
        .isEqualTo("q");
  }

  private List<String> lines(String query) throws Exception {
    return numbers(server.get("/v1/logs?" + span + query).json());
  }

  private static List<String> numbers(JsonNode page) {
    List<String> numbers = new ArrayList<>();
    page.path("items")
        .forEach(
            item -> numbers.add(item.path("message").asString().substring("GPS lost ".length())));
    return numbers;
  }

  @Test
  void boundKeys_seeTheirOwnPast_shopsNone() throws Exception {
    post(point("mine", 1), point("other", 1));
    String scopes = "\"scopes\":[\"read\",\"operate\"],";
    String rider = server.key("{\"name\":\"r\"," + scopes + "\"rider\":\"mine\"}");
    String shop = server.key("{\"name\":\"s\"," + scopes + "\"shop\":\"mine\"}");
    for (String path : List.of("/v1/riders/%s/trace", "/v1/logs?rider=%s")) {
      assertThat(server.send(rider, "GET", path.formatted("mine"), "", "").status()).isEqualTo(200);
      assertThat(server.send(rider, "GET", path.formatted("other"), "", "").status())
          .isEqualTo(403);
      assertThat(server.send(shop, "GET", path.formatted("mine"), "", "").status()).isEqualTo(403);
    }
    assertThat(server.send(rider, "GET", "/v1/logs", "", "").status()).isEqualTo(403);
    assertThat(server.send(rider, "GET", "/v1/groups/g/trace", "", "").status()).isEqualTo(403);
  }

  @Test
  void simplified_isALineOfFewerPositions_inPagesAsInOnePiece() throws Exception {
    String[] points =
        IntStream.range(0, 600)
            .mapToObj(
                i ->
                    "{\"riderId\":\"r1\",\"at\":%d,\"lat\":%s,\"lon\":%s}"
                        .formatted(
                            begin + 1000L * i,
                            37.5 + i / 1e5 + (i % 7) / 1e6,
                            127 + Math.abs(300 - i) / 1e4))
            .toArray(String[]::new);
    post(points);
    List<Long> whole = seconds(trace(span + "&simplify=3"));
    assertThat(whole).hasSizeBetween(3, 300).isSorted().startsWith(0L).endsWith(599L);
    assertThat(whole).doesNotHaveDuplicates();
    List<Long> paged = new ArrayList<>();
    JsonNode page = trace(span + "&simplify=3&limit=4");
    while (!page.path("next").isNull()) {
      assertThat(page.path("items").size()).isEqualTo(4);
      paged.addAll(seconds(page));
      page = trace("simplify=3&limit=4&cursor=" + page.path("next").asString());
    }
    paged.addAll(seconds(page));
    assertThat(paged).isEqualTo(whole);
    assertThat(seconds(trace(span + "&simplify=0"))).hasSize(600);
  }

  /** A quarter of an hour straight on is one line, however few positions remain of it. */
  @Test
  void line_endsWhereNothingCame_notWhereFewPositionsAreNeeded() throws Exception {
    String[] points =
        IntStream.concat(IntStream.range(0, 30), IntStream.range(52, 57))
            .mapToObj(
                i ->
                    "{\"riderId\":\"r1\",\"at\":%d,\"lat\":%s,\"lon\":127}"
                        .formatted(begin + 30_000L * i, 37.5 + i / 1e3))
            .toArray(String[]::new);
    post(points);
    for (String simplify : List.of("", "&simplify=5")) {
      String question = "/v1/riders/r1/trace?" + span + simplify;
      JsonNode lines = server.get(question + "&format=geojson").json().path("features");
      assertThat(lines.size()).as(simplify).isEqualTo(2);
      for (JsonNode line : lines) {
        assertThat(line.path("geometry").path("type").asString()).isEqualTo("LineString");
      }
      assertThat(server.get(question + "&format=gpx").body().split("<trkseg>", -1)).hasSize(3);
    }
    assertThat(seconds(trace(span + "&simplify=5"))).containsExactly(0L, 870L, 1560L, 1680L);
  }
}
