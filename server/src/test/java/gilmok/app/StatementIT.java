package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Statements of a whole server: posted entries, entries of deliveries, and what a restart keeps.
 */
@Tag("process")
final class StatementIT extends DeliveryRig {
  private static final String ENTRIES = "/v1/statement-entries";
  private static final String MARCH = "?from=2026-03-01&to=2026-03-31";

  private String[] more = {"stop.patience=5s"};

  @Override
  String[] settings() {
    return more;
  }

  @Test
  void posted_isSummedByTheFleetsDays_andKept() throws Exception {
    // In Seoul, the next day begins at 15:00 UTC.
    String body =
        "["
            + entry("a", "2026-03-01T15:00:00Z", "fee", 3500, ",\"distance\":1200.25")
            + ","
            + entry("b", "2026-03-01T14:59:59.999Z", "incentive", 500, "")
            + ","
            + entry("c", "2026-03-01T15:00:00Z", "deduction", 4000, "")
            + ","
            + entry("d", "2026-03-01T15:00:00Z", "fee", 7, ",\"currency\":\"USD\"")
            + "]";
    Reply first = call("POST", ENTRIES, body);
    assertThat(first.body()).isEqualTo("{\"accepted\":4,\"duplicates\":0}");
    assertThat(call("POST", ENTRIES, body).body()).isEqualTo("{\"accepted\":0,\"duplicates\":4}");
    String expected =
        "{\"riderId\":\"r-1\",\"from\":\"2026-03-01\",\"to\":\"2026-03-31\",\"currency\":\"KRW\","
            + "\"days\":[{\"date\":\"2026-03-01\",\"count\":1,\"fee\":0,\"incentive\":500,"
            + "\"deduction\":0,\"net\":500,\"distance\":0},"
            + "{\"date\":\"2026-03-02\",\"count\":2,\"fee\":3500,\"incentive\":0,"
            + "\"deduction\":4000,\"net\":-500,\"distance\":1200.25}],"
            + "\"total\":{\"count\":3,\"fee\":3500,\"incentive\":500,\"deduction\":4000,"
            + "\"net\":0,\"distance\":1200.25},\"otherCurrencies\":[\"USD\"]}";
    assertThat(statement(MARCH).body()).isEqualTo(expected);
    restart();
    assertThat(statement(MARCH).body()).isEqualTo(expected);
    assertThat(call("POST", ENTRIES, body).body()).isEqualTo("{\"accepted\":0,\"duplicates\":4}");
    assertThat(statement(MARCH).body()).isEqualTo(expected);
    assertThat(statement(MARCH + "&currency=USD").at("/total/fee")).isEqualTo("7");
  }

  @Test
  void repeatThatSaysSomethingElse_isNamed_andTheFirstStays() throws Exception {
    String at = "2026-03-05T00:00:00Z";
    call("POST", ENTRIES, entry("a", at, "fee", 3500, ""));
    Reply again =
        call(
            "POST",
            ENTRIES,
            "[" + entry("a", at, "fee", 1, "") + "," + entry("b", at, "fee", 2, "") + "]");
    assertThat(again.body()).isEqualTo("{\"accepted\":1,\"duplicates\":1,\"differing\":[\"a\"]}");
    assertThat(statement(MARCH).at("/total/fee")).isEqualTo("3502");
    assertThat(
            server.metric(
                "gilmok_statements_entries_total{outcome=\"accepted\",source=\"posted\"}"))
        .isEqualTo(2);
  }

  @Test
  void wrongEntry_isNamed_andNothingIsStored() throws Exception {
    String at = "2026-03-05T00:00:00Z";
    Reply reply =
        call(
            "POST",
            ENTRIES,
            "[" + entry("a", at, "fee", 1, "") + "," + entry("b", at, "fee", -2, "") + "]");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.at("/field")).isEqualTo("[1].amount");
    assertThat(reply.at("/reason")).startsWith("negative");
    assertThat(call("POST", ENTRIES, "{").status()).isEqualTo(400);
    String tooMany =
        IntStream.rangeClosed(0, 10_000)
            .mapToObj(i -> entry("x" + i, at, "fee", 1, ""))
            .collect(Collectors.joining(",", "[", "]"));
    assertThat(call("POST", ENTRIES, tooMany).status()).isEqualTo(413);
    assertThat(call("POST", ENTRIES, "[" + " ".repeat(4 << 20) + "]").status()).isEqualTo(413);
    assertThat(statement(MARCH).at("/total/count")).isEqualTo("0");
  }

  @Test
  void wrongQuestion_isNamed() throws Exception {
    assertWrong("?to=2026-03-01", "from");
    assertWrong("?from=2026-03-01", "to");
    assertWrong("?from=2026-03-02&to=2026-03-01", "to");
    assertWrong("?from=2026-01-01&to=2027-01-02", "to");
    assertWrong("?from=2026-02-30&to=2026-03-01", "from");
    assertWrong(MARCH + "&currency=won", "currency");
    assertWrong(MARCH + "&entries=1", "entries");
    assertThat(statement("?from=2024-01-01&to=2024-12-31").status()).isEqualTo(200);
  }

  @Test
  void dayOf23Hours_isAsLongAsItIs() throws Exception {
    server.close();
    more = new String[] {"fleet.zone=Europe/Berlin", "fleet.currency=EUR"};
    start();
    String body =
        "["
            + entry("a", "2026-03-28T22:59:59.999Z", "fee", 1, "")
            + ","
            + entry("b", "2026-03-28T23:00:00Z", "fee", 10, "")
            + ","
            + entry("c", "2026-03-29T21:59:59.999Z", "fee", 100, "")
            + ","
            + entry("d", "2026-03-29T22:00:00Z", "fee", 1000, "")
            + "]";
    assertThat(call("POST", ENTRIES, body).status()).isEqualTo(200);
    Reply statement = statement("?from=2026-03-28&to=2026-03-30");
    assertThat(statement.at("/days/0/fee")).isEqualTo("1");
    assertThat(statement.at("/days/1/fee")).isEqualTo("110");
    assertThat(statement.at("/days/2/fee")).isEqualTo("1000");
    assertThat(statement.at("/currency")).isEqualTo("EUR");
    assertThat(statement("?from=2026-03-29&to=2026-03-29").at("/total/count")).isEqualTo("2");
  }

  @Test
  void completedDelivery_isEarnedOnce_alsoWhenTheLogIsReadAgain() throws Exception {
    String paid = created(order("1", "shop-1", ",\"fee\":3500"));
    String free = created(order("2"));
    String failed = created(order("3", "shop-1", ",\"fee\":9"));
    for (String id : new String[] {paid, free, failed}) {
      step(id, "accept", "");
      step(id, "assign", "{\"riderId\":\"r-1\"}");
      step(id, "pickup", "");
    }
    assertThat(step(failed, "fail", "").status()).isEqualTo(200);
    act("r-1", failed, "complete", "");
    awaitActions();
    assertThat(events(failed)).contains("completed/0");
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    String when = "{\"at\":\"" + now + "\"}";
    Instant day = now.truncatedTo(ChronoUnit.DAYS);
    String week =
        "?from=%s&to=%s"
            .formatted(
                day.minus(3, ChronoUnit.DAYS).toString().substring(0, 10),
                day.plus(3, ChronoUnit.DAYS).toString().substring(0, 10));
    assertThat(step(paid, "complete", when).status()).isEqualTo(200);
    assertThat(step(free, "complete", when).status()).isEqualTo(200);
    String total = "/total/fee";
    Program.await(() -> statement(week).at(total).equals("3500"));
    JsonNode entry = statement(week + "&entries=true").json().path("entries").path(0);
    assertThat(entry.path("id").asString()).isEqualTo("delivery:" + paid);
    assertThat(entry.path("deliveryId").asString()).isEqualTo(paid);
    assertThat(entry.path("at").asString()).isEqualTo(now.toString());
    assertThat(entry.path("kind").asString()).isEqualTo("fee");
    // From 37.5, 127.0 to 37.6, 127.1: a degree of latitude is 111,195 m, one of longitude less.
    assertThat(entry.path("distance").asDouble()).isBetween(14_100.0, 14_300.0);
    restart();
    assertThat(statement(week).at(total)).isEqualTo("3500");
    // A server without statements leaves their cursor in place. When the cursor is lost, statements
    // read the whole log again.
    server.close();
    more = new String[] {"only=collect,deliveries"};
    start();
    assertThat(statement(week).status()).isEqualTo(404);
    server.close();
    Files.delete(data.resolve("cursors/statements.cursor"));
    more = new String[0];
    start();
    String repeats = "gilmok_statements_entries_total{outcome=\"duplicate\",source=\"delivery\"}";
    Program.await(() -> server.metric(repeats) == 1);
    assertThat(statement(week).at(total)).isEqualTo("3500");
    assertThat(statement(week).at("/total/count")).isEqualTo("1");
  }

  @Test
  void keyOfARider_seesItsOwn() throws Exception {
    call("POST", ENTRIES, entry("a", "2026-03-05T00:00:00Z", "fee", 1, ""));
    String own = server.key("{\"name\":\"r\",\"scopes\":[\"read\"],\"rider\":\"r-1\"}");
    String path = "/v1/riders/r-1/statement" + MARCH;
    assertThat(callWith(own, "GET", path, "").at("/total/fee")).isEqualTo("1");
    assertThat(callWith(own, "GET", path.replace("r-1", "r-2"), "").status()).isEqualTo(403);
    assertThat(callWith(own, "POST", ENTRIES, "[]").status()).isEqualTo(403);
  }

  @Test
  void thousandsOfEntries_areStreamed() throws Exception {
    assertThat(fill("s", 5000)).isEqualTo(5000);
    Reply reply = statement(MARCH + "&entries=true");
    assertThat(reply.status()).isEqualTo(200);
    JsonNode streamed = reply.json();
    assertThat(streamed.path("entries")).hasSize(5000);
    JsonNode summed = statement(MARCH).json();
    assertThat(streamed.path("days")).isEqualTo(summed.path("days"));
    assertThat(streamed.path("total")).isEqualTo(summed.path("total"));
    assertThat(summed.at("/total/fee").asLong()).isEqualTo(4999L * 5000 / 2);
  }

  @Test
  void clientThatStopsReading_holdsNobodyUp_andAServerThatStopsBreaksItOff() throws Exception {
    String wide = "w".repeat(100);
    for (int i = 0; i < 4; i++) {
      assertThat(fill(wide + i, 5000)).isEqualTo(5000);
    }
    String streams = "gilmok_statements_streams_in_flight";
    try (Socket slow = hanging()) {
      try (Socket _ = hanging()) {
        Program.await(() -> server.metric(streams) == 2);
        assertThat(statement(MARCH).at("/total/count")).isEqualTo("20000");
      }
      Program.await(() -> server.metric(streams) == 1);
      server.close();
      String part = read(slow.getInputStream());
      assertThat(part).startsWith("HTTP/1.1 200").contains("\"entries\":[{");
      assertThat(part).doesNotContain("\"total\"").doesNotEndWith("0\r\n\r\n");
    }
    start();
  }

  /** Asks for entries and reads nothing of the answer. */
  private Socket hanging() throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.server().port()));
    String request =
        "GET /v1/riders/r-1/statement"
            + MARCH
            + "&entries=true HTTP/1.1\r\nHost: x\r\nX-Api-Key: "
            + server.adminKey()
            + "\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** All that came until the other side closed or reset the connection. */
  private static String read(InputStream in) {
    StringBuilder text = new StringBuilder();
    byte[] bytes = new byte[1 << 16];
    try {
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        text.append(new String(bytes, 0, n, StandardCharsets.UTF_8));
      }
    } catch (IOException reset) {
      return text.toString();
    }
    return text.toString();
  }

  /** Posts {@code count} entries of r-1, spread over March; returns how many were accepted. */
  private int fill(String prefix, int count) throws Exception {
    long begin = 1_772_323_200_000L;
    String body =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    entry(
                        prefix + "-" + i,
                        begin + i * 400_000L,
                        i,
                        ",\"deliveryId\":\"" + prefix + "\""))
            .collect(Collectors.joining(",", "[", "]"));
    Reply reply = call("POST", ENTRIES, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json().path("accepted").asInt();
  }

  private void assertWrong(String query, String field) throws Exception {
    Reply reply = statement(query);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.at("/field")).isEqualTo(field);
  }

  private Reply statement(String query) throws Exception {
    return call("GET", "/v1/riders/r-1/statement" + query, "");
  }

  private static String entry(String id, long at, long amount, String rest) {
    return "{\"id\":\"%s\",\"riderId\":\"r-1\",\"at\":%d,\"kind\":\"fee\",\"amount\":%d%s}"
        .formatted(id, at, amount, rest);
  }

  private static String entry(String id, String at, String kind, long amount, String rest) {
    return "{\"id\":\"%s\",\"riderId\":\"r-1\",\"at\":\"%s\",\"kind\":\"%s\",\"amount\":%d%s}"
        .formatted(id, at, kind, amount, rest);
  }
}
