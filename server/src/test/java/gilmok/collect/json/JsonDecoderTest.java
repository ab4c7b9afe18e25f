package gilmok.collect.json;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class JsonDecoderTest {
  private static final String FIX =
      "{\"riderId\":\"r-1\",\"at\":\"2008-10-23T02:53:04Z\",\"lat\":39.984702,\"lon\":116.318417}";

  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();

  @Test
  void decode_allFields_rendersThemAll() {
    assertThat(
            rendered(
                EventKind.POSITION,
                "{\"at\":1224730384500,\"riderId\":\"r-1\",\"lon\":1.163184170e2,\"lat\":39.9847020,"
                    + "\"accuracy\":4.50,\"speed\":0,\"bearing\":359.9,\"altitude\":-1.5e2,"
                    + "\"battery\":1.0,\"provider\":\"gps\",\"deliveryId\":\"d\",\"id\":\"i\",\"attributes\":{\"a\":["
                    + " 1.0 , null]},\"steps\":5}"))
        .isEqualTo(
            "{\"riderId\":\"r-1\",\"at\":\"2008-10-23T02:53:04.500Z\",\"lat\":39.984702,"
                + "\"lon\":116.318417,\"accuracy\":4.5,\"speed\":0,\"bearing\":359.9,"
                + "\"altitude\":-150,\"battery\":1,\"provider\":\"gps\",\"deliveryId\":\"d\","
                + "\"id\":\"i\",\"attributes\":{\"a\":[1.0,null],\"steps\":5}}");
  }

  @Test
  void decode_action_keepsItsFields() {
    String action =
        "{\"riderId\":\"r\",\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"arrived\","
            + "\"deliveryId\":\"d-1\"}";
    assertThat(rendered(EventKind.ACTION, action)).isEqualTo(action);
  }

  @Test
  void decode_logLine_keepsAnyCharacters() {
    String line =
        "{\"riderId\":\"r\",\"at\":\"2026-01-01T00:00:00Z\",\"level\":\"warn\","
            + "\"message\":\"길\\n\\t\\u0001\\\"\"}";
    assertThat(rendered(EventKind.LOG_LINE, line)).isEqualTo(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"at\":\"2008-10-23T02:53:04.000Z\",\"lon\":116.3184170,\"lat\":3.9984702e1,\"riderId\":\"r-1\"}",
        " { \"riderId\" : \"r\\u002d1\" , \"at\" : 1224730384000 , \"l\\u0061t\" : 39.984702 ,\n"
            + "\"lon\":116.318417,\"speed\":null}",
        "{\"riderId\":\"r-1\",\"at\":\"2008-10-23T11:53:04+09:00\",\"lat\":39.9847020000,\"lon\":116318417e-6,\"attributes\":{}}"
      })
  void decode_otherSpelling_sameBytes(String spelling) {
    byte[] usual = encoded(FIX);
    assertThat(encoded(spelling)).isEqualTo(usual).hasSize(23);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "riderId|\"r\"|5|not a string",
        "riderId|\"r\"|\"\"|empty",
        "riderId|\"r\"|null|missing",
        "riderId|\"r\"|\"a\\u0085b\"|control character",
        "riderId|\"r\"|\"a\\ud800b\"|lone surrogate",
        "at|1|\"now\"|not a time",
        "at|1|true|not a time",
        "at|1|1.5|not a time",
        "at|1|-1|out of range",
        "at|1|\"2101-01-01T00:00:00Z\"|out of range",
        "lat|1|90.0000001|out of range",
        "lat|1|\"37\"|not a number",
        "lat|1|1e999|out of range",
        "lon|1|-180.5|out of range",
      })
  void decode_ruleBroken_rejectsThatRecordOnly(
      String field, String good, String bad, String reason) {
    String valid = "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}";
    String broken = valid.replace("\"" + field + "\":" + good, "\"" + field + "\":" + bad);
    String body = "[" + valid + ", " + broken + "," + valid + "]";
    assertThat(decode(EventKind.POSITION, body)).isEqualTo(DecodeOutcome.READ);
    assertThat(events.count()).isEqualTo(2);
    assertThat(events.index(0)).isEqualTo(0);
    assertThat(events.index(1)).isEqualTo(2);
    assertThat(reject(0)).isEqualTo("1 " + field + ": " + reason);
    assertThat(body.substring(events.rejectStart(0), events.rejectEnd(0))).isEqualTo(broken);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"accuracy\":-1|accuracy: out of range",
        "\"speed\":-0.1|speed: out of range",
        "\"bearing\":360.1|bearing: out of range",
        "\"altitude\":-12001|altitude: out of range",
        "\"battery\":1.01|battery: out of range",
        "\"provider\":{}|provider: not a string",
        "\"lat\":1|lat: given twice",
        "\"speed\":null,\"speed\":1|speed: given twice",
        "\"attributes\":[]|attributes: not an object",
        "\"attributes\":{\"a\":1},\"\\u0061\":2|attributes: given twice",
        "\"other\":\"\\udc00\"|attributes: lone surrogate",
      })
  void decode_memberWrong_rejects(String member, String expected) {
    String body = FIX.substring(0, FIX.length() - 1) + "," + member + "}";
    assertThat(decode(EventKind.POSITION, body)).isEqualTo(DecodeOutcome.READ);
    assertThat(events.count()).isZero();
    assertThat(reject(0)).isEqualTo("0 " + expected);
  }

  @Test
  void decode_halfAPlace_rejectsAction() {
    decode(EventKind.ACTION, "{\"riderId\":\"r\",\"at\":1,\"type\":\"t\",\"lat\":1}");
    assertThat(reject(0)).isEqualTo("0 lon: missing");
  }

  @Test
  void decode_bounds_holdExactly() {
    String attribute = ",\"x\":\"%s\"}";
    int room = 16 * 1024 - "{\"x\":\"\"}".length();
    String open = FIX.substring(0, FIX.length() - 1);
    decode(EventKind.POSITION, open + attribute.formatted("y".repeat(room)));
    assertThat(events.count()).isEqualTo(1);
    decode(EventKind.POSITION, open + attribute.formatted("y".repeat(room + 1)));
    assertThat(reject(0)).isEqualTo("0 attributes: too large");
    decode(EventKind.POSITION, open + "," + numbered(64) + "}");
    assertThat(events.count()).isEqualTo(1);
    decode(EventKind.POSITION, open + "," + numbered(65) + "}");
    assertThat(reject(0)).isEqualTo("0 attributes: too many members");
    decode(EventKind.POSITION, FIX.replace("r-1", "길".repeat(128)));
    assertThat(events.count()).isEqualTo(1);
    decode(EventKind.POSITION, FIX.replace("r-1", "길".repeat(129)));
    assertThat(reject(0)).isEqualTo("0 riderId: too long");
  }

  private static String numbered(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"n" + i + "\":0")
        .collect(Collectors.joining(","));
  }

  @Test
  void decode_invalidUtf8_rejectsThatRecordOnly() {
    for (String bad :
        new String[] {
          "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00f4\u0090\u0080\u0080", "\u00ff", "\u00e2\u0082"
        }) {
      byte[] body =
          ("[" + FIX.replace("r-1", bad) + "," + FIX + "]").getBytes(StandardCharsets.ISO_8859_1);
      assertThat(decoder.decode(EventKind.POSITION, body, 0, body.length, events))
          .isEqualTo(DecodeOutcome.READ);
      assertThat(events.count()).isEqualTo(1);
      assertThat(reject(0)).isEqualTo("0 riderId: invalid UTF-8");
    }
  }

  @Test
  void decode_lineBroken_rejectsThatLineOnly() {
    String body = FIX + "\n" + FIX.substring(0, 40) + "\r\n" + FIX + " " + FIX + "\nnull\n\n" + FIX;
    assertThat(decode(EventKind.POSITION, body)).isEqualTo(DecodeOutcome.READ);
    assertThat(events.count()).isEqualTo(4);
    assertThat(events.index(3)).isEqualTo(5);
    assertThat(reject(0)).isEqualTo("1 : not JSON");
    assertThat(body.substring(events.rejectStart(0), events.rejectEnd(0)))
        .isEqualTo(FIX.substring(0, 40));
    assertThat(reject(1)).isEqualTo("4 : not an object");
  }

  @Test
  void decode_objectOverLines_isOneRecord() {
    assertThat(decode(EventKind.POSITION, "\ufeff\n" + FIX.replace(",", ",\n") + "\n"))
        .isEqualTo(DecodeOutcome.READ);
    assertThat(events.count()).isEqualTo(1);
    assertThat(events.rejectCount()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|0|empty",
        "` \n`|2|empty",
        "[|1|unexpected end",
        "[1,]|3|unexpected character",
        "[1 2]|3|expected a comma or a closing bracket",
        "[] x|3|unexpected character behind the array",
        "[{\"a\":01}]|7|unexpected character",
        "[\"\\x\"]|3|no such escape",
        "[tru]|1|unexpected character",
      })
  void decode_arrayBroken_unreadable(String body, int offset, String reason) {
    assertThat(decode(EventKind.POSITION, body)).isEqualTo(DecodeOutcome.UNREADABLE);
    assertThat(decoder.errorOffset()).isEqualTo(offset);
    assertThat(decoder.errorReason()).isEqualTo(reason);
    assertThat(events.count() + events.rejectCount()).isZero();
  }

  @Test
  void decode_nestedTooDeep_isRefused() {
    String open = FIX.substring(0, FIX.length() - 1) + ",\"x\":";
    decode(EventKind.POSITION, open + "[".repeat(32) + "]".repeat(32) + "}");
    assertThat(events.count()).isEqualTo(1);
    decode(EventKind.POSITION, open + "[".repeat(33) + "]".repeat(33) + "}");
    assertThat(reject(0)).isEqualTo("0 : nested too deep");
    assertThat(decode(EventKind.POSITION, "[" + open + "[".repeat(1_000_000)))
        .isEqualTo(DecodeOutcome.UNREADABLE);
  }

  @Test
  void decode_recordsOverBound_tooMany() {
    String most = "1,".repeat(JsonDecoder.RECORDS_MAX - 1) + "1";
    assertThat(decode(EventKind.POSITION, "[" + most + "]")).isEqualTo(DecodeOutcome.READ);
    assertThat(events.rejectCount()).isEqualTo(JsonDecoder.RECORDS_MAX);
    assertThat(decode(EventKind.POSITION, "[" + most + ",1]")).isEqualTo(DecodeOutcome.TOO_MANY);
    assertThat(decode(EventKind.POSITION, most.replace(',', '\n') + "\n{}"))
        .isEqualTo(DecodeOutcome.TOO_MANY);
    assertThat(events.rejectCount()).isZero();
  }

  @Test
  void decode_largeBody_isReadWhole() {
    String body = "[" + (FIX + ",").repeat(9_999) + FIX + "]";
    assertThat(decode(EventKind.POSITION, body)).isEqualTo(DecodeOutcome.READ);
    assertThat(events.count()).isEqualTo(10_000);
  }

  /**
   * Found by {@link JsonDecoderFuzz}: the flag for a truncated mantissa was not reset for the next
   * number.
   */
  @Test
  void decode_shortTimeAfterLongNumber_isRead() {
    decode(EventKind.POSITION, FIX.replace("116.318417", "116.3184170000000000001"));
    decode(EventKind.POSITION, FIX.replace("\"2008-10-23T02:53:04Z\"", "5.0"));
    assertThat(events.count()).isEqualTo(1);
  }

  /**
   * Found by {@link JsonDecoderFuzz}: members that are not fields are rendered as attributes, one
   * level deeper, and must still be read when the event is sent again.
   */
  @Test
  void decode_deepestMemberSentAgain_isRead() {
    String open = FIX.substring(0, FIX.length() - 1) + ",\"x\":";
    String once = rendered(EventKind.POSITION, open + "[".repeat(32) + "]".repeat(32) + "}");
    assertThat(rendered(EventKind.POSITION, once)).isEqualTo(once);
  }

  private DecodeOutcome decode(EventKind kind, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return decoder.decode(kind, bytes, 0, bytes.length, events);
  }

  private byte[] encoded(String body) {
    assertThat(decode(EventKind.POSITION, body)).isEqualTo(DecodeOutcome.READ);
    assertThat(events.count()).isEqualTo(1);
    return Arrays.copyOf(events.bytes(), events.length(0));
  }

  private String rendered(EventKind kind, String body) {
    assertThat(decode(kind, body)).isEqualTo(DecodeOutcome.READ);
    assertThat(events.rejectCount()).isZero();
    JsonBuffer json = new JsonBuffer();
    new EventView().wrap(events.bytes(), 0, events.length(0)).writeJson(json);
    return json.toString();
  }

  private String reject(int i) {
    return events.rejectIndex(i) + " " + events.rejectField(i) + ": " + events.rejectReason(i);
  }
}
