package gilmok.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class WarmUpScriptTest {
  private static final String TEXT =
      """
      What is asked.

      ### two, gzip
      # expect 202 503
      # array 2
      # pack gzip
      # times 3
      # remember one
      # remember tag header ETag
      # where positions sinks
      POST /v1/things?x={{n}}
      X-Api-Key: {{fleet}}

      {"n":{{n}},
       "t":{{now}}}

      ### read
      # expect 200
      GET /v1/things/{{one}}
      """;

  @Test
  void script_isRead() {
    WarmUpScript script = WarmUpScript.parse("things", TEXT);
    assertThat(script.shots()).hasSize(2);
    ScriptRequest first = script.shots().getFirst();
    assertThat(first.name()).isEqualTo("two, gzip");
    assertThat(first.expected()).containsExactly(202, 503);
    assertThat(first.body().form()).isEqualTo(ScriptRequest.Form.ARRAY);
    assertThat(first.body().copies()).isEqualTo(2);
    assertThat(first.body().packing()).isEqualTo(ScriptRequest.Packing.GZIP);
    assertThat(first.turns().times()).isEqualTo(3);
    assertThat(first.remembers())
        .containsExactly(
            new ResponseCapture("one", ResponseCapture.Place.FIELD, "id"),
            new ResponseCapture("tag", ResponseCapture.Place.HEADER, "ETag"));
    assertThat(first.parts()).containsExactlyInAnyOrder("positions", "sinks");
    assertThat(first.headers()).containsExactly("X-Api-Key: {{fleet}}");
    assertThat(first.body().text()).isEqualTo("{\"n\":{{n}},\n \"t\":{{now}}}");
    assertThat(targets(script)).containsExactly("POST /v1/things", "GET /v1/things/{{one}}");
  }

  @Test
  void where_leavesOutWhatNeedsOtherParts() {
    WarmUpScript script = WarmUpScript.parse("things", TEXT);
    assertThat(script.where(Set.of("positions", "sinks", "collect"))).isEqualTo(script);
    assertThat(targets(script.where(Set.of("positions"))))
        .containsExactly("GET /v1/things/{{one}}");
  }

  @Test
  void wrongScript_isNamedWithItsLine() {
    assertThatThrownBy(() -> WarmUpScript.parse("things", "### a\n# expects 200\nGET /"))
        .hasMessageContaining("things, line 2");
    assertThatThrownBy(() -> WarmUpScript.parse("things", "### a\nGET /"))
        .hasMessageContaining("what to expect");
    assertThatThrownBy(() -> WarmUpScript.parse("things", "### a\n# remember it in vain\nGET /"))
        .hasMessageContaining("things, line 2")
        .hasMessageContaining("in");
  }

  @Test
  void rendering_fillsIn_andNeverGivesANumberTwice() {
    WarmUpScript script =
        WarmUpScript.parse(
            "things",
            "### a\n# expect 200\n# lines 2\nPOST /x?n={{n}}\nA: {{key}}\n\n{{n}} {{rider}}");
    RequestTemplate template =
        new RequestTemplate(new AtomicLong(), Map.of("key", "k"), plain -> plain);
    String first = text(template.request(script.shots().getFirst()));
    assertThat(first)
        .isEqualTo(
            "POST /x?n=4 HTTP/1.1\r\nHost: warmup\r\nA: k\r\nContent-Length: 7\r\n\r\n0 2\n2 4");
    assertThat(text(template.request(script.shots().getFirst()))).contains("n=9");
  }

  @Test
  void rendering_knowsTimesAndLastNumbers_andWhatItDoesNotKnow() {
    String made =
        rendered(
            "GET /{{n}}/{{rider}}/{{again}}/{{digits}}/{{lane}}/{{lane}}/{{today}}/{{time}}"
                + "/{{seconds}}/{{nobody}}");
    assertThat(made)
        .matches(
            "GET /0/2/0/236066/3/3/\\d{4}-\\d\\d-\\d\\d/\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z/\\d{10}/unknown"
                + " HTTP/1.1\r\n"
                + "Host: warmup\r\n\r\n");
  }

  /** The scripts have a key of rider 0. A request about another rider must never be about him. */
  @Test
  void rendering_rider_isNeverHimWhoHasAKey() {
    WarmUpScript script = WarmUpScript.parse("x", "### a\n# expect 200\nGET /r-{{rider}}");
    RequestTemplate template = new RequestTemplate(new AtomicLong(), Map.of(), plain -> plain);
    for (int i = 0; i < 2001; i++) {
      assertThat(text(template.request(script.shots().getFirst()))).doesNotContain("/r-0 ");
    }
  }

  @Test
  void rendering_sendsChunks_whereTheHeadersSaySo() {
    assertThat(rendered("POST /x\nTransfer-Encoding: chunked\n\nsome thing"))
        .endsWith("Transfer-Encoding: chunked\r\n\r\na\r\nsome thing\r\n0\r\n\r\n");
  }

  private static String rendered(String shot) {
    WarmUpScript script = WarmUpScript.parse("x", "### a\n# expect 200\n" + shot);
    RequestTemplate template = new RequestTemplate(new AtomicLong(), Map.of(), plain -> plain);
    return text(template.request(script.shots().getFirst()));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The method and path, without query, of every request. */
  private static List<String> targets(WarmUpScript script) {
    return script.shots().stream().map(ScriptRequest::target).distinct().toList();
  }
}
