package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Room for bodies is taken by bytes that have arrived, and no key gets more than its share. */
@Tag("server")
final class BodyQuotasTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final String FORM = "Content-Type: application/x-www-form-urlencoded";

  private final List<Wire> wires = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (Wire wire : wires) {
      wire.close();
    }
  }

  /** 512 connections declare 2 GiB together, 32 times the room, and each sends one byte. */
  @Test
  void idleSocketsThatDeclareMuch_holdNothing() throws Exception {
    try (Edge edge = new Edge()) {
      for (int i = 0; i < 256; i++) {
        begin(edge, "/echo", Edge.BODY_BYTES_MAX, 1, "X-Api-Key: anna");
      }
      for (int i = 0; i < 256; i++) {
        begin(edge, "/", Edge.BODY_BYTES_MAX, 1, FORM);
      }
      Edge.await(() -> edge.listener.bodyBytes() == 512);
      assertThat(edge.listener.requestsUnderWay()).isZero();
      assertTaken(edge, "good", 3 * MEBIBYTE);
      assertTaken(edge, "anna", 3 * MEBIBYTE);
    }
  }

  @Test
  void boundKeyThatSendsToNoEnd_isRefusedBeyondItsShare_andNobodyElse() throws Exception {
    try (Edge edge = new Edge()) {
      for (int i = 0; i < 4; i++) {
        begin(edge, "/echo", Edge.BODY_BYTES_MAX, 2 * MEBIBYTE, "X-Api-Key: anna");
      }
      Edge.await(() -> edge.listener.bodyBytes() == 8 * MEBIBYTE);
      Wire one = begin(edge, "/echo", Edge.BODY_BYTES_MAX, 64 << 10, "X-Api-Key: anna");
      Wire.Answer refused = one.read();
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.text()).contains("on their way").contains("\"field\":\"body\"");
      assertThat(Integer.parseInt(refused.header("retry-after"))).isPositive();
      assertTaken(edge, "good", 3 * MEBIBYTE);
      // A small body arrives whole and takes nothing of the share.
      assertTaken(edge, "anna", 100);
      wires.getFirst().close();
      Edge.await(() -> edge.listener.bodyBytes() == 6 * MEBIBYTE);
      assertTaken(edge, "anna", 3 * MEBIBYTE / 2);
    }
  }

  @Test
  void addressWithoutAKey_isRefusedBeyondItsShare_andNoKeyThatComesFromIt() throws Exception {
    try (Edge edge = new Edge()) {
      int form = 60 << 10;
      for (int i = 0; i < 4 * MEBIBYTE / form; i++) {
        begin(edge, "/", ConnectionTimeouts.FORM_BYTES_MAX, form, FORM);
      }
      Edge.await(() -> edge.listener.bodyBytes() / form == 4 * MEBIBYTE / form);
      assertThat(begin(edge, "/", ConnectionTimeouts.FORM_BYTES_MAX, form, FORM).read().status())
          .isEqualTo(429);
      assertTaken(edge, "good", 3 * MEBIBYTE);
      assertTaken(edge, "anna", 3 * MEBIBYTE);
    }
  }

  @Test
  void addressesBehindATrustedProxy_areToldApart_anybodyElsesWordIsNotTaken() throws Exception {
    int form = 60 << 10;
    int most = 4 * MEBIBYTE / form;
    String first = "X-Forwarded-For: 198.51.100.1";
    String second = "X-Forwarded-For: 198.51.100.1, 203.0.113.9, 127.0.0.7";
    try (Edge edge = new Edge(config -> config.proxies("127.0.0.0/8"))) {
      for (int i = 0; i < most; i++) {
        begin(edge, "/", ConnectionTimeouts.FORM_BYTES_MAX, form, FORM, first);
      }
      Edge.await(() -> edge.listener.bodyBytes() / form == most);
      assertThat(
              begin(edge, "/", ConnectionTimeouts.FORM_BYTES_MAX, form, FORM, first)
                  .read()
                  .status())
          .isEqualTo(429);
      begin(edge, "/", ConnectionTimeouts.FORM_BYTES_MAX, form, FORM, second);
      Edge.await(() -> edge.listener.bodyBytes() / form == most + 1);
    }
    try (Edge edge = new Edge()) {
      for (int i = 0; i < most; i++) {
        begin(
            edge,
            "/",
            ConnectionTimeouts.FORM_BYTES_MAX,
            form,
            FORM,
            "X-Forwarded-For: 198.51.100." + i);
      }
      Edge.await(() -> edge.listener.bodyBytes() / form == most);
      assertThat(
              begin(edge, "/", ConnectionTimeouts.FORM_BYTES_MAX, form, FORM, second)
                  .read()
                  .status())
          .isEqualTo(429);
    }
  }

  @Test
  void oneBody_isLetInHoweverSmallTheShare() throws Exception {
    try (Edge edge = new Edge(config -> config.bodies(8 * MEBIBYTE))) {
      assertTaken(edge, "anna", Edge.BODY_BYTES_MAX);
      assertTaken(edge, "good", Edge.BODY_BYTES_MAX);
      Edge.await(edge::isEmpty);
    }
  }

  /** Declares that many bytes, and sends only some. */
  private Wire begin(Edge edge, String path, int declared, int sent, String... headers)
      throws Exception {
    Wire wire = edge.wire();
    wires.add(wire);
    List<String> lines = new ArrayList<>(List.of("POST " + path + " HTTP/1.1", "Host: t"));
    lines.addAll(List.of(headers));
    lines.add("Content-Length: " + declared);
    wire.head(lines.toArray(String[]::new));
    return wire.send("x".repeat(sent).getBytes(StandardCharsets.UTF_8));
  }

  private void assertTaken(Edge edge, String key, int bytes) throws Exception {
    try (Wire wire = edge.wire()) {
      wire.head("POST /echo HTTP/1.1", "Host: t", "X-Api-Key: " + key, "Content-Length: " + bytes);
      wire.send(new byte[bytes]);
      assertThat(wire.read().status()).isEqualTo(200);
    }
  }
}
