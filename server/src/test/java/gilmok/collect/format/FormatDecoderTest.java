package gilmok.collect.format;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.dialect.Decoded;
import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.Upload;
import gilmok.collect.json.JsonDecoder;
import gilmok.collect.json.RecordRule;
import gilmok.event.Events;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FormatDecoderTest {
  private static final String USUAL =
      """
      path: /app/points
      records: /points
      fields:
        riderId: 'body:/who'
        at: /t
        lat: /lat
        lon: /lon
        speed: { from: /v, unit: km/h }
        provider: /src
      """;

  private static Decoded decode(String body) {
    return Declared.decode(Declared.of(USUAL), body);
  }

  @Test
  void decode_neededFieldWrong_recordIsRejectedByTheAppsName() {
    Decoded decoded =
        decode(
            "{'who':'r','points':[{'t':1785052800,'lat':91,'lon':1},{'t':'x','lat':1,'lon':1},"
                + "{'t':1785052800,'lon':1},{'t':1785052800,'lat':true,'lon':1},7,"
                + "{'t':1785052800,'lat':'1.5','lon':2}]}");
    assertThat(decoded.rejects())
        .containsExactly(
            "/lat: out of range",
            "/t: not a time",
            "/lat: missing",
            "/lat: not a number",
            ": not an object");
    assertThat(decoded.rejected().getFirst()).isEqualTo("{\"t\":1785052800,\"lat\":91,\"lon\":1}");
    assertThat(decoded.events()).singleElement().asString().contains("\"lat\":1.5");
  }

  @Test
  void decode_otherFieldWrong_becomesAnAttribute() {
    assertThat(
            decode(
                    "{'who':'r','points':[{'t':1785052800,'lat':1,'lon':2,'v':-5,'src':{'a':[1, 2]},"
                        + "'deep':{'x':null}}]}")
                .event())
        .endsWith(
            "\"attributes\":{\"v\":-5,\"src\":{\"a\":[1,2]},\"deep\":{\"x\":null}}}"
                .replace("\"", "\""));
  }

  @Test
  void decode_membersNextToPointers_keepTheWayToThem() {
    Format format =
        Declared.of(
            """
            path: /app/points
            fields: { riderId: /who, at: /when/t, lat: /where/0, lon: /where/1 }
            """);
    assertThat(
            Declared.decode(
                    format, "{'who':'r','when':{'t':1785052800,'zone':'KST'},'where':[1,2,'roof']}")
                .event())
        .contains("\"attributes\":{\"when.zone\":\"KST\",\"where.2\":\"roof\"}");
  }

  @Test
  void decode_notJson_isOneReject() {
    assertThat(decode("{'who':'r','points':[{'t':1785052800,'lat':1,'lon':2},").reject())
        .isEqualTo(": unexpected end");
    assertThat(decode("").reject()).isEqualTo(": empty");
    assertThat(decode("{'who':'r'}").reject()).isEqualTo("/points: missing");
    assertThat(decode("{'who':'r','points':null}").reject()).isEqualTo("/points: missing");
    assertThat(decode("{'who':'r','points':[]}").rejects()).isEmpty();
  }

  @Test
  void decode_nameWithEscapes_isTheSame() {
    assertThat(
            decode("{'who':'r','points':[{'\\u0074':1785052800,'l\\u0061t':1,'lon':2}]}").event())
        .contains("\"lat\":1");
  }

  @Test
  void decode_givenTwice_isRejected() {
    assertThat(decode("{'who':'r','points':[{'t':1785052800,'lat':1,'lat':2,'lon':2}]}").reject())
        .isEqualTo("/lat: given twice");
  }

  @Test
  void decode_noRider_isThatOfTheBoundKey() {
    Format format = Declared.of(USUAL);
    String body = "{'points':[{'t':1785052800,'lat':1,'lon':2}]}";
    assertThat(Declared.decode(format, Map.of(), body, "r-9").event())
        .contains("\"riderId\":\"r-9\"");
    assertThat(Declared.decode(format, body).reject()).isEqualTo("body:/who: missing");
  }

  @Test
  void decode_actionOfAnybody_isRejectedForTheKey() {
    Format format = Declared.example("agent-actions");
    FormatDecoder decoder = new FormatDecoder(format);
    Events events = new Events();
    DialectEvent out = new DialectEvent();
    out.upload(events, device -> device);
    RecordRule all = _ -> true;
    decoder.begin(_ -> null, all);
    byte[] body =
        "{\"agentId\":\"a\",\"actions\":[{\"action\":\"PICK_UP\",\"time\":1785052800}]}"
            .getBytes(StandardCharsets.UTF_8);
    decoder.decode(new Upload(body, 0, body.length, null, null, Decoded.NOW), out);
    assertThat(events.count()).isZero();
    assertThat(events.rejectField(0)).isEqualTo(JsonDecoder.KEY);
    assertThat(events.rejectReason(0)).isEqualTo(Reason.KEY_OF_ANYBODY);
  }

  @Test
  void decode_sameDecoderAgain_forgetsTheUploadBefore() {
    Format format = Declared.of(USUAL);
    FormatDecoder decoder = new FormatDecoder(format);
    decoder.begin(_ -> null, RecordRule.NONE);
    Upload first = Upload.of(quoted("{'who':'r','points':[]}"), Decoded.NOW);
    assertThat(Decoded.of(decoder, first, device -> device).events()).isEmpty();
    decoder.begin(_ -> null, RecordRule.NONE);
    Upload second = Upload.of(quoted("{'points':[{'t':1785052800,'lat':1,'lon':2}]}"), Decoded.NOW);
    assertThat(Decoded.of(decoder, second, device -> device).reject())
        .isEqualTo("body:/who: missing");
  }

  private static String quoted(String text) {
    return text.replace('\'', '"');
  }

  @Test
  void decode_manyRecords_allAreKept() {
    String point = "{'t':1785052800,'lat':1,'lon':2}";
    int count = 30_000;
    Decoded decoded =
        decode("{'who':'r','points':[" + (point + ",").repeat(count - 1) + point + "]}");
    assertThat(decoded.rejects()).isEmpty();
    assertThat(decoded.events()).hasSize(count);
  }

  @Test
  void decode_manyThatCannotBeUsed_theRestIsOneReject() {
    String csv = "path: /c\ncontent: csv\nfields: { riderId: /r, at: /t, lat: /a, lon: /o }";
    Decoded decoded = Declared.decode(Declared.of(csv), "r,t,a,o\n" + "x\n".repeat(50_000));
    assertThat(decoded.rejects()).hasSize(10_001);
    assertThat(decoded.rejects().getLast()).isEqualTo(": too large");
    Decoded json = decode("{'who':'r','points':[" + "{},".repeat(50_000) + "{}]}");
    assertThat(json.rejects()).hasSize(10_001);
  }

  @Test
  void decode_csvWithoutNames_isKeptAsItWasSent() {
    String csv = "path: /c\ncontent: csv\nfields: { riderId: /r, at: /t, lat: /a, lon: /o }";
    Decoded decoded = Declared.decode(Declared.of(csv), "cq,1785052800,1,5\ncq,1785052801,1,5\n");
    assertThat(decoded.events()).isEmpty();
    assertThat(decoded.rejected()).containsExactly("cq,1785052800,1,5", "cq,1785052801,1,5");
  }

  @Test
  void decode_constantOfAMembersName_countsInItsPlace() {
    String constant = USUAL + "constants: { source: app-4 }\n";
    assertThat(
            Declared.decode(
                    Declared.of(constant),
                    "{'who':'r','points':[{'t':1785052800,'lat':1,'lon':2,'source':'x'}]}")
                .event())
        .contains("\"source\":\"app-4\"")
        .doesNotContain("\"x\"");
  }

  @Test
  void constants_comeInTheOrderOfTheDeclaration() {
    String many = USUAL + "constants: { e: 1, d: 2, c: 3, b: 4, a: 5, z: 6, y: 7 }\n";
    assertThat(Declared.of(many).constants().keySet())
        .as("a record's bytes are the same in each process")
        .containsExactly("e", "d", "c", "b", "a", "z", "y");
  }
}
