package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Refusals as a client sees them that prefers Korean. */
@Tag("server")
final class KoreanRefusalTest {
  private static final String NO_KEY = "Host: t";

  private final LogLines log = new LogLines();
  private Edge edge;
  private Wire wire;

  @BeforeEach
  void start() throws Exception {
    edge = new Edge(config -> config);
    wire = edge.wire();
  }

  @AfterEach
  void stop() throws Exception {
    wire.close();
    Edge.await(edge::isEmpty);
    edge.close();
    log.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void detail_korean_whenPreferred() throws Exception {
    String korean = Refusal.NOT_FOUND.korean();
    assertThat(wire.get("/none", "Accept-Language: ko").read().text()).contains(korean);
    assertThat(wire.get("/none", "Accept-Language: ko-KR,ko;q=0.9,en;q=0.8").read().text())
        .contains(korean);
    assertThat(wire.get("/none", "Accept-Language: en-GB,ko;q=0.9").read().text())
        .contains(Refusal.NOT_FOUND.english());
    assertThat(wire.get("/none", "Accept-Language: ko;q=0, kok").read().text())
        .contains(Refusal.NOT_FOUND.english());
    assertThat(wire.get("/none", "Accept-Language: fr, ko;q=0.1").read().text()).contains(korean);
  }

  @Test
  void invalid_korean_titleDetailAndReason() throws Exception {
    assertKorean("must be a number from 1 to 1000", "1부터 1000까지의 숫자여야 합니다");
    assertKorean("missing", "값이 없습니다");
    assertKorean("lacks the scope collect", "collect 권한이 없습니다");
    assertKorean("unexpected end at byte 9", "중간에 끝났습니다 (9번째 바이트)");
    assertKorean("what nobody has translated", "what nobody has translated");
    assertKorean("must be a number from 1 to many", "must be a number from 1 to many");
  }

  private void assertKorean(String reason, String korean) throws Exception {
    Wire.Answer answer =
        wire.post("/invalid/limit", bytes(reason), "Accept-Language: ko-KR, en;q=0.5").read();
    assertThat(answer.text())
        .isEqualTo(
            "{\"type\":\"/docs/errors#invalid\",\"title\":\"잘못된 요청\",\"status\":400,"
                + "\"detail\":\"limit: "
                + korean
                + "\",\"field\":\"limit\",\"reason\":\""
                + korean
                + "\"}");
    assertThat(wire.post("/invalid/limit", bytes(reason)).read().text())
        .contains("\"title\":\"Bad Request\"", "\"detail\":\"limit: " + reason + "\"")
        .endsWith("\"reason\":\"" + reason + "\"}");
  }

  /** Refusals of several kinds: encoded once, with a reason of the route, and by status. */
  @Test
  void refusals_korean_titleAndReason() throws Exception {
    String ko = "Accept-Language: ko";
    assertKorean(
        wire.head("GET /query HTTP/1.1", NO_KEY, ko).read(),
        Refusal.KEY_MISSING,
        "인증 필요",
        "키가 없습니다");
    assertKorean(wire.get("/none", ko).read(), Refusal.NOT_FOUND, "찾을 수 없음", "없는 경로입니다");
    assertKorean(
        wire.head("POST /echo HTTP/1.1", "X-Api-Key: reader", NO_KEY, ko, "Content-Length: 0")
            .read(),
        Refusal.SCOPE_MISSING,
        "권한 없음",
        "collect 권한이 없습니다");
    assertKorean(
        wire.post("/echo", bytes("x"), ko, "Content-Encoding: br").read(),
        Refusal.MEDIA_TYPE,
        "지원하지 않는 미디어 형식",
        "gzip이나 zstd로 압축하거나 압축하지 않고 보내 주세요");
    assertKorean(
        wire.get("/query?q=1", ko, "Content-Length: 2").send("[]").read(),
        Refusal.TOO_LARGE,
        "너무 큰 본문",
        "{} 외에는 본문을 받지 않습니다");
    assertThat(wire.get("/bug", ko).read().text())
        .contains("\"title\":\"서버 내부 오류\"", "\"detail\":\"" + Refusal.BROKEN.korean() + "\"");
  }

  private void assertKorean(Wire.Answer answer, Refusal refusal, String title, String reason) {
    assertThat(answer.status()).isEqualTo(refusal.status());
    assertThat(answer.text())
        .contains("\"title\":\"" + title + "\"", "\"detail\":\"" + refusal.korean() + "\"")
        .endsWith("\"reason\":\"" + reason + "\"}");
  }
}
