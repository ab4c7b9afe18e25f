package gilmok.collect.osmand;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.dialect.Decoded;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.dialect.Upload;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class OsmandTest {
  private static final String FIX = "id=r-7&timestamp=1767225600&lat=37.4979&lon=127.0276";
  private static final String FIX_JSON =
      "{\"riderId\":\"r-7\",\"at\":\"2026-01-01T00:00:00Z\",\"lat\":37.4979,\"lon\":127.0276";

  private final Osmand osmand = new Osmand();

  @Test
  void decode_traccarClient8_unitsAreOurs() {
    assertThat(
            event(
                FIX
                    + "&speed=36&bearing=270.5&altitude=-3.5&accuracy=12.0&hdop=1.2&batt=88"
                    + "&charge=true&valid=1&driverUniqueId=007&notificationToken=12&sat=7"
                    + "&cell=450,5,1,2,-70&cell=450,5,1,3&wifi=aa-bb-cc-dd-ee-ff,-60&alarm=sos"))
        .isEqualTo(
            FIX_JSON
                + ",\"accuracy\":12,\"speed\":18.52,\"bearing\":270.5,\"altitude\":-3.5,"
                + "\"battery\":0.88,\"attributes\":{\"hdop\":1.2,\"charge\":true,\"valid\":true,"
                + "\"driverUniqueId\":\"007\",\"notificationToken\":\"12\",\"sat\":7,"
                + "\"cell\":[\"450,5,1,2,-70\",\"450,5,1,3\"],"
                + "\"wifi\":[\"aa-bb-cc-dd-ee-ff,-60\"],\"alarm\":\"sos\"}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timestamp=2147483646|2038-01-19T03:14:06Z",
        "timestamp=2147483647|1970-01-25T20:31:23.647Z",
        "timestamp=1767225600500|2026-01-01T00:00:00.500Z",
        "timestamp=2026-01-31T23:59:59.123%2B09:00|2026-01-31T14:59:59.123Z",
        "timestamp=2026-01-31T23:59:59+09:00|2026-01-31T14:59:59Z",
        "timestamp=2026-01-31T23:59:59|2026-01-31T23:59:59Z",
        "timestamp=2026-01-31+23:59:59|2026-01-31T23:59:59Z",
        "timestamp=|2026-01-01T00:00:00Z",
        "a=1|2026-01-01T00:00:00Z"
      })
  void decode_time_isThatInstant(String parameter, String instant) {
    assertThat(event("id=r&lat=1&lon=2&" + parameter)).contains("\"at\":\"" + instant + "\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`lat=1&lon=2`|id: missing",
        "`id=&deviceid=&lat=1&lon=2`|id: missing",
        "`id=++&lat=1&lon=2`|id: missing",
        "`id=a%00b&lat=1&lon=2`|id: control character",
        "`id=%ff&lat=1&lon=2`|id: invalid UTF-8",
        "`id=r&lat=1&lon=2&timestamp=soon`|timestamp: not a time",
        "`id=r&lat=1&lon=2&timestamp=-5`|timestamp: not a time",
        "`id=r&lat=1&lon=2&timestamp=NaN`|timestamp: not a time",
        "`id=r&lat=1&lon=2&timestamp=5000000000000`|timestamp: out of range",
        "`id=r&lat=1`|lon: missing",
        "`id=r&lon=1`|lat: missing",
        "`id=r&lat=1&lon=`|lon: missing",
        "`id=r&lat=north&lon=1`|lat: not a number",
        "`id=r&lat=90.1&lon=1`|lat: out of range",
        "`id=r&lat=1&lon=-180.1`|lon: out of range",
        "`id=r&lat=1e999&lon=1`|lat: not a number",
        "`id=r&lat=37,5,1&lon=1`|lat: not a number",
        "`id=r&lat=1.037,5&lon=1`|lat: not a number",
        "`id=r&location=1`|location: not a number",
        "`id=r&location=1,2,3`|location: not a number",
        "`id=r&location=91,2`|location: out of range",
        "``|id: missing",
        "`garbage`|id: missing"
      })
  void decode_cannotBeUsed_isRejectedWhole(String upload, String reject) {
    Decoded decoded = Decoded.of(osmand, upload);
    assertThat(decoded.reject()).isEqualTo(reject);
    assertThat(decoded.rejected()).containsExactly(upload);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id=r-7&timestamp=1767225600&location=37.4979,127.0276",
        "deviceid=r-7&location=37.4979%2C127.0276",
        "id=r-7&location=+37.4979+,+127.0276",
        "lat=+37.4979&lon=127.02760&id=%72-7&&timestamp=&altitude=",
      })
  void decode_otherSpelling_sameEvent(String upload) {
    assertThat(event(upload)).isEqualTo(FIX_JSON + "}");
  }

  @Test
  void decode_idAndDeviceid_theFirstCountsAndTheOtherIsKept() {
    assertThat(event("deviceid=other&" + FIX))
        .isEqualTo(FIX_JSON + ",\"attributes\":{\"deviceid\":\"other\"}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "speed=fast|`\"speed\":\"fast\"`",
        "speed=-1|`\"speed\":-1`",
        "speed=NaN|`\"speed\":\"NaN\"`",
        "bearing=361|`\"bearing\":361`",
        "altitude=1e9|`\"altitude\":1e9`",
        "altitude=1,234|`\"altitude\":\"1,234\"`",
        "accuracy=-1|`\"accuracy\":-1`",
        "batt=101|`\"batt\":101`",
        "batt=%ff|`\"batt\":\"\ufffd\"`",
        "x=007|`\"x\":\"007\"`",
        "x=12345678901234567890|`\"x\":12345678901234567890`",
        "x=1e999|`\"x\":\"1e999\"`",
        "x=1d|`\"x\":\"1d\"`",
        "x=true|`\"x\":true`",
        "x=1|`\"x\":1`",
        "valid=0|`\"valid\":false`",
        "valid=true|`\"valid\":true`",
        "valid=no|`\"valid\":\"no\"`",
        "imei=356938035643809|`\"imei\":\"356938035643809\"`",
        "%22=%0A|`\"\\\"\":\"\\n\"`",
        "=1|`\"\":1`",
        "x=1&x=two&x=|`\"x\":[1,\"two\"]`",
        "lat=1&lat=2|`\"lat\":[1,2]`",
        "location=5,6|`\"location\":\"5,6\"`",
        "time=2020-01-01|`\"time\":\"2020-01-01\"`"
      })
  void decode_whatHasNoField_isAnAttribute(String parameter, String attribute) {
    assertThat(event(FIX + "&" + parameter))
        .isEqualTo(FIX_JSON + ",\"attributes\":{" + attribute + "}}");
  }

  @Test
  void decode_hugeValue_isDroppedAndThePositionStays() {
    assertThat(event(FIX + "&x=" + "y".repeat(100_000)))
        .isEqualTo(FIX_JSON + ",\"attributes\":{\"attributesDropped\":true}}");
    assertThat(event(FIX + "&x=1".repeat(300))).contains("\"attributesDropped\":true");
  }

  @Test
  void decode_noPlace_isAHeartbeat() {
    assertThat(event("id=r&timestamp=1767225600&batt=88&charge=false&lat=&lon="))
        .isEqualTo(
            "{\"riderId\":\"r\",\"at\":\"2026-01-01T00:00:00Z\",\"level\":\"info\","
                + "\"message\":\"heartbeat\",\"attributes\":{\"batt\":88,\"charge\":false}}");
  }

  @Test
  void decode_traccarClient10Form_isOnePosition() {
    assertThat(
            event(
                FIX
                    + "&imei=356938035643809&accuracy=4.8&altitude=38.2&speed=10.37&bearing=12.5"
                    + "&batt=61&charge=false&alarm=sos&battery_health=good&battery_voltage=4011"
                    + "&battery_temp=31.5&van=7"))
        .isEqualTo(
            FIX_JSON
                + ",\"accuracy\":4.8,\"speed\":5.334788888888888,\"bearing\":12.5,"
                + "\"altitude\":38.2,\"battery\":0.61,\"attributes\":{"
                + "\"imei\":\"356938035643809\",\"charge\":false,\"alarm\":\"sos\","
                + "\"battery_health\":\"good\",\"battery_voltage\":4011,\"battery_temp\":31.5,"
                + "\"van\":7}}");
  }

  @Test
  void decode_uploadJson_eachElementIsJudgedByItself() {
    String good =
        "{\"id\":\"r-7\",\"lat\":37.4979,\"lon\":127.0276,\"timestamp\":1767225600,"
            + "\"speed\":36.0,\"batt\":61,\"charge\":true,\"note\":null,\"zip\":\"007\"}";
    String noDevice = "{\"lat\":1,\"lon\":2}";
    String heartbeat = "{\"id\":5,\"timestamp\":1767225600,\"batt\":50}";
    Decoded decoded =
        Decoded.of(osmand, "\ufeff [" + good + " , " + noDevice + ",7," + heartbeat + "]");
    assertThat(decoded.events())
        .containsExactly(
            FIX_JSON
                + ",\"speed\":18.52,\"battery\":0.61,"
                + "\"attributes\":{\"charge\":true,\"zip\":\"007\"}}",
            "{\"riderId\":\"5\",\"at\":\"2026-01-01T00:00:00Z\",\"level\":\"info\","
                + "\"message\":\"heartbeat\",\"attributes\":{\"batt\":50}}");
    assertThat(decoded.rejects()).containsExactly("id: missing", ": not an object");
    assertThat(decoded.rejected()).containsExactly(noDevice, "7");
  }

  @Test
  void decode_oneFlatObject_isOnePosition() {
    assertThat(
            event(
                "{\"id\":\"r-7\",\"lat\":\"37.4979\",\"lon\":127.0276,\"nested\":{\"a\":[1]},"
                    + "\"cell\":\"1,2,3,4\",\"wifi\":[\"a,1\"],\"timestamp\":\"1767225600\","
                    + "\"speed\":{},\"dup\":1,\"dup\":\"2\",\"bad\":\"\\ud800\"}"))
        .isEqualTo(
            FIX_JSON
                + ",\"attributes\":{\"nested\":{\"a\":[1]},\"cell\":[\"1,2,3,4\"],"
                + "\"wifi\":[\"a,1\"],\"speed\":{},\"dup\":[1,\"2\"],"
                + "\"attributesDropped\":true}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{|: unexpected end",
        "{\"id\":\"r\"|: unexpected end",
        "[|: unexpected end",
        "[1|: unexpected end",
        "[{\"id\":\"a\\ud800\",\"lat\":1,\"lon\":2}]|id: lone surrogate",
        "{\"id\":{},\"lat\":1,\"lon\":2}|id: not a string",
        "{\"id\":\"r\",\"lat\":[],\"lon\":2}|lat: not a number",
        "{\"id\":\"r\",\"lat\":true,\"lon\":2}|lat: not a number",
        "{\"id\":\"r\",\"lat\":1,\"lon\":2,\"timestamp\":[]}|timestamp: not a time",
        "{\"id\":\"r\",\"lat\":1,\"lon\":2,\"timestamp\":true}|timestamp: not a time",
        "{\"id\":\"r\",\"location\":{\"coords\":{}}}|location: not a string",
        "{\"id\":null,\"lat\":1,\"lon\":2}|id: missing"
      })
  void decode_jsonThatCannotBeUsed_isOneReject(String upload, String reject) {
    assertThat(Decoded.of(osmand, upload).reject()).isEqualTo(reject);
  }

  @Test
  void decode_emptyArray_isNothing() {
    Decoded decoded = Decoded.of(osmand, "[]");
    assertThat(decoded.events()).isEmpty();
    assertThat(decoded.rejects()).isEmpty();
  }

  @Test
  void decode_moreElementsThanAllowed_theOthersAreOneReject() {
    String all = "[" + "1,".repeat(9_999) + "{},2 ,3]";
    Decoded decoded = Decoded.of(osmand, all);
    assertThat(decoded.rejects()).hasSize(10_001);
    assertThat(decoded.rejects().getLast()).isEqualTo(": too large");
    assertThat(decoded.rejected().getLast()).isEqualTo("2 ,3]");
  }

  @Test
  void decode_decimalComma_isThatPlace() {
    assertThat(event("id=r-7&timestamp=1767225600&lat=37,4979&lon=127,0276"))
        .isEqualTo(FIX_JSON + "}");
  }

  @Test
  void decode_insideALargerArray_seesItsPartOnly() {
    byte[] bytes = ("[{&" + FIX + "&x=1").getBytes(StandardCharsets.UTF_8);
    Upload upload = new Upload(bytes, 3, FIX.length(), null, null, 0);
    assertThat(Decoded.of(osmand, upload, device -> "rider").event())
        .isEqualTo(FIX_JSON.replace("r-7", "rider") + ",\"attributes\":{\"device\":\"r-7\"}}");
  }

  @Test
  void answer_isEmptyOrTheTextOfTheCommand() {
    JsonBuffer out = new JsonBuffer();
    osmand.answer(List.of(), List.of(), out);
    assertThat(out.size()).isZero();
    PhoneCommand text = new PhoneCommand("c", PhoneCommand.Type.TEXT, null, "setperiod=60 \"길\"");
    osmand.answer(List.of(text), List.of(), out);
    assertThat(out).hasToString("setperiod=60 \"길\"");
    assertThat(osmand.commandsMax()).isEqualTo(1);
  }

  @Test
  void refusal_ofAllButTexts_saysWhy() {
    for (PhoneCommand.Type type : Arrays.asList(PhoneCommand.Type.values())) {
      String refusal = osmand.refusal(new PhoneCommand("c", type, "{}", "t"));
      assertThat(refusal == null).as(type.label()).isEqualTo(type == PhoneCommand.Type.TEXT);
    }
  }

  private String event(String upload) {
    return Decoded.of(osmand, upload).event();
  }
}
