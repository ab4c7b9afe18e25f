package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the routes of phone apps allow and those of programs do not. */
@Tag("server")
final class PhoneRouteTest {
  private static final String FORM = "application/x-www-form-urlencoded";

  @Test
  void path_askedWithItsParameter_isAnotherRoute() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      assertThat(wire.get("/").read().text()).isEqualTo("page");
      assertThat(wire.get("/?x=id").read().text()).isEqualTo("page");
      assertThat(wire.get("/?a=1&id=7&key=good").read().text())
          .isEqualTo("a=1&id=7&key=good 0 null");
      assertThat(status(wire, "/?id=7&key=bad")).isEqualTo(401);
      assertThat(status(wire, "/?id=7")).isEqualTo(401);
    }
  }

  @Test
  void key_inTheForm_isGood() throws Exception {
    try (Edge edge = new Edge()) {
      assertThat(form(edge, "id=7&k%65y=good&lat=1")).isEqualTo(200);
      assertThat(form(edge, "id=7&key=wrong")).isEqualTo(401);
      assertThat(form(edge, "id=7")).isEqualTo(401);
      assertThat(form(edge, "key=reader")).as("it lacks the scope").isEqualTo(403);
      assertThat(form(edge, "key=good&x=" + "x".repeat(ConnectionTimeouts.FORM_BYTES_MAX)))
          .isEqualTo(200);
      assertThat(form(edge, "x=" + "x".repeat(ConnectionTimeouts.FORM_BYTES_MAX) + "&key=good"))
          .isEqualTo(401);
      assertThat(edge.count(Refusal.KEY_MISSING)).isEqualTo(2);
      assertThat(edge.isEmpty()).isTrue();
    }
  }

  @Test
  void key_inAFormElsewhere_isNotLookedFor() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.head("POST /echo HTTP/1.1", "Host: t", "Content-Type: " + FORM, "Content-Length: 8");
      assertThat(wire.send("key=good").read().status()).isEqualTo(401);
    }
  }

  @Test
  void body_tooLong_isCut_andItsFaultTold() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      byte[] body = new byte[Edge.BODY_BYTES_MAX + (1 << 20)];
      String[] told = wire.post("/?key=good", body).read().text().split(" ", 3);
      assertThat(Integer.parseInt(told[1])).isBetween(64 << 10, Edge.BODY_BYTES_MAX);
      assertThat(told[2]).isEqualTo("over " + Edge.BODY_BYTES_MAX + " bytes");
    }
  }

  @Test
  void body_thatCannotBeUnpacked_comesAsItIs() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      byte[] garbage = "garbage".getBytes(StandardCharsets.US_ASCII);
      assertThat(wire.post("/?key=good", garbage, "Content-Encoding: gzip").read().text())
          .isEqualTo("key=good 7 not gzip");
      assertThat(wire.post("/?key=good", garbage, "Content-Encoding: br").read().text())
          .isEqualTo("key=good 7 Content-Encoding is not supported");
      assertThat(wire.post("/?key=good", bomb(), "Content-Encoding: gzip").read().text())
          .endsWith("over " + Edge.BODY_BYTES_MAX + " bytes");
      assertThat(wire.post("/?key=good", garbage).read().text()).isEqualTo("key=good 7 null");
    }
  }

  @Test
  void session_isTakenFromTheCookie_unlessAnotherSiteAsks() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      String cookie = "Cookie: a=b; gilmok_session=good; c=d";
      assertThat(status(wire, "/query?q=1", cookie)).isEqualTo(200);
      assertThat(status(wire, "/query?q=1", cookie, "Sec-Fetch-Site: same-origin")).isEqualTo(200);
      assertThat(status(wire, "/query?q=1", cookie, "Sec-Fetch-Site: cross-site")).isEqualTo(403);
      assertThat(status(wire, "/query?q=1", "Cookie: xgilmok_session=good")).isEqualTo(401);
      assertThat(status(wire, "/query?q=1", cookie, "X-Api-Key: bad"))
          .as("a key goes first")
          .isEqualTo(401);
    }
  }

  @Test
  void challenge_toAScript_asksForNoPassword() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      wire.head("GET /query HTTP/1.1", "Host: t", "Sec-Fetch-Mode: cors");
      assertThat(wire.read().header("www-authenticate")).isEqualTo("Bearer realm=\"gilmok\"");
      wire.head("GET /query HTTP/1.1", "Host: t");
      assertThat(wire.read().header("www-authenticate")).contains("Basic");
    }
  }

  private static int status(Wire wire, String path, String... headers) throws Exception {
    String[] lines = new String[headers.length + 2];
    lines[0] = "GET " + path + " HTTP/1.1";
    lines[1] = "Host: t";
    System.arraycopy(headers, 0, lines, 2, headers.length);
    return wire.head(lines).read().status();
  }

  private static int form(Edge edge, String form) throws Exception {
    try (Wire wire = edge.wire()) {
      wire.head(
          "POST / HTTP/1.1",
          "Host: t",
          "Content-Type: " + FORM + "; charset=utf-8",
          "Content-Length: " + form.length());
      return wire.send(form).read().status();
    }
  }

  private static byte[] bomb() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(new byte[Edge.BODY_BYTES_MAX + 1]);
    }
    return packed.toByteArray();
  }
}
