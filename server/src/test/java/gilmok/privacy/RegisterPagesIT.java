package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.config.Settings;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.http.HttpConfig;
import gilmok.http.HttpListener;
import gilmok.http.Offloads;
import gilmok.observe.Meters;
import gilmok.privacy.RegisterRow.Act;
import gilmok.privacy.RegisterRow.Kind;
import gilmok.privacy.RegisterRow.Span;
import gilmok.storage.FileDisk;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A register of 100,000 rows, read page by page over HTTP, whole and filtered. */
@Tag("server")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class RegisterPagesIT {
  private static final int ROWS = 100_000;
  private static final int RIDERS = 100;
  private static final int KEYS = 7;
  private static final int STEP = 5_000;
  private static final long BEGIN = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
  private static final Act TRACE = Act.of(Kind.SEEN, "trace", Use.HISTORY);

  private final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir Path folder;
  private SqliteDatabase database;
  private HttpListener listener;

  @BeforeEach
  void open() throws Exception {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    SqliteRegister store = new SqliteRegister(database);
    fill(store);
    Instant now = Instant.ofEpochMilli(BEGIN);
    Register register =
        RegisterRig.register(store, new FileDisk(), folder.resolve("register"), () -> now);
    Principal admin = new Principal("k", "admin", Set.of(Scope.ADMIN), null);
    listener =
        new HttpListener(
            HttpConfig.from(new Settings(Map.of("http.host", "127.0.0.1", "http.port", "0"))),
            new RegisterRoutes(register, offloads).routes(),
            (key, authorization, parameter, session) -> admin);
    listener.start();
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    listener.close();
    database.close();
    offloads.close();
    meters.close();
  }

  /** A row a second: number n is of rider n % 100 and key n % 7. */
  private static void fill(RegisterStore store) throws Exception {
    List<String> riders = new ArrayList<>();
    for (int i = 0; i < RIDERS; i++) {
      riders.add(MemoryConsents.PSEUDONYMS.of("r" + i));
    }
    for (int begin = 0; begin < ROWS; begin += STEP) {
      List<RegisterRow> rows = new ArrayList<>();
      for (int n = begin; n < begin + STEP; n++) {
        long at = at(n);
        String id = RegisterRow.time(at) + "-" + "%016x".formatted(n);
        String key = "k" + n % KEYS;
        Span span = new Span(at, at, n);
        rows.add(
            RegisterRow.of(id, TRACE, riders.get(n % RIDERS), key, RegisterRig.BASES, span, "n"));
      }
      store.put(rows);
    }
  }

  private static long at(int n) {
    return BEGIN + n * 1_000L;
  }

  private HttpResponse<String> ask(String query) throws Exception {
    URI uri =
        URI.create("http://127.0.0.1:%d/v1/privacy/records%s".formatted(listener.port(), query));
    return client.send(
        HttpRequest.newBuilder(uri).header("X-Api-Key", "k").build(), BodyHandlers.ofString());
  }

  /** The numbers of all rows that a query finds, page after page. */
  private List<Integer> numbers(String query, int limit) throws Exception {
    List<Integer> all = new ArrayList<>();
    String cursor = "";
    do {
      HttpResponse<String> answer = ask("?limit=" + limit + query + cursor);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      JsonNode page = JsonMapper.shared().readTree(answer.body());
      page.path("items").forEach(row -> all.add(row.path("count").asInt()));
      cursor = page.path("next").isNull() ? "" : "&cursor=" + page.path("next").asString();
    } while (!cursor.isEmpty());
    return all;
  }

  private static List<Integer> descending(int from, int below, int remainder, int modulus) {
    List<Integer> all = new ArrayList<>();
    for (int n = below - 1; n >= from; n--) {
      if (n % modulus == remainder) {
        all.add(n);
      }
    }
    return all;
  }

  @Test
  void pages_goOnToTheEnd_wholeAndFiltered() throws Exception {
    assertThat(numbers("", 10_000)).isEqualTo(descending(0, ROWS, 0, 1));
    assertThat(numbers("&rider=r42", 300)).isEqualTo(descending(0, ROWS, 42, RIDERS));
    assertThat(numbers("&rider=" + MemoryConsents.PSEUDONYMS.of("r42"), 1_000))
        .as("a page that is full to the last row")
        .isEqualTo(descending(0, ROWS, 42, RIDERS));
    assertThat(numbers("&key=k3", 10_000)).isEqualTo(descending(0, ROWS, 3, KEYS));
    assertThat(numbers("&rider=r3&key=k3", 100)).isEqualTo(descending(0, ROWS, 3, RIDERS * KEYS));
    String span = "&from=" + Instant.ofEpochMilli(at(70_000)) + "&to=" + at(90_001);
    assertThat(numbers(span, 9_999)).isEqualTo(descending(70_000, 90_001, 0, 1));
    assertThat(numbers("&key=k0" + span, 77)).isEqualTo(descending(70_000, 90_001, 0, KEYS));
    assertThat(numbers("&from=" + at(ROWS), 100)).isEmpty();
    assertThat(numbers("&rider=nobody", 100)).isEmpty();
    long lines = 0;
    String cursor = "";
    do {
      HttpResponse<String> page = ask("?format=csv&limit=10000" + cursor);
      lines += page.body().lines().skip(1).count();
      cursor = page.headers().firstValue("X-Next-Cursor").map(next -> "&cursor=" + next).orElse("");
    } while (!cursor.isEmpty());
    assertThat(lines).isEqualTo(ROWS);
    wrongValues_areNamed();
  }

  private void wrongValues_areNamed() throws Exception {
    Map<String, String> wrong =
        Map.of(
            "limit=0", "limit",
            "limit=10001", "limit",
            "limit=all", "limit",
            "format=xml", "format",
            "from=yesterday", "from",
            "to=2026-13-01T00:00:00Z", "to",
            "from=2&to=1", "to",
            "cursor=x", "cursor",
            "riders=r1", "riders");
    for (Map.Entry<String, String> one : wrong.entrySet()) {
      HttpResponse<String> answer = ask("?" + one.getKey());
      assertThat(answer.statusCode()).as(one.getKey()).isEqualTo(400);
      JsonNode problem = JsonMapper.shared().readTree(answer.body());
      assertThat(problem.path("field").asString()).as(answer.body()).isEqualTo(one.getValue());
      assertThat(problem.path("reason").asString()).as(answer.body()).isNotEmpty();
    }
  }
}
