package gilmok.collect.gpslogger;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.dialect.Decoded;
import gilmok.collect.dialect.Parameters;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.osmand.Osmand;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class GpsLoggerTest {
  /** The parameters that the app sends for %ALL, with its plus signs as the app leaves them. */
  private static final String ALL =
      "lat=37.4979&lon=127.0276&sat=9&desc=&alt=38.5&acc=4.5&dir=12.5&prov=gps&spd_kph=18.0"
          + "&spd=5.0&timestamp=1767225600&timeoffset=2026-01-01T09:00:00.000+09:00"
          + "&time=2026-01-01T00:00:00.000Z&starttimestamp=1767222000&date=2026-01-01&batt=61.0"
          + "&ischarging=true&aid=00ab12&ser=unknown&act=IN_VEHICLE&filename=20260101"
          + "&profile=Default+Profile&hdop=0.9&vdop=1.1&pdop=1.4&dist=1250";

  private static final String FIX_JSON =
      "\"at\":\"2026-01-01T00:00:00Z\",\"lat\":37.4979,\"lon\":127.0276";

  private final GpsLogger gpsLogger = new GpsLogger();

  @Test
  void decode_all_unitsAreOurs() {
    assertThat(event(ALL))
        .isEqualTo(
            "{\"riderId\":\"00ab12\","
                + FIX_JSON
                + ",\"accuracy\":4.5,\"speed\":5,\"bearing\":12.5,\"altitude\":38.5,"
                + "\"battery\":0.61,\"provider\":\"gps\",\"attributes\":{\"sat\":9,"
                + "\"spd_kph\":18.0,\"timeoffset\":\"2026-01-01T09:00:00.000 09:00\","
                + "\"time\":\"2026-01-01T00:00:00.000Z\",\"starttimestamp\":1767222000,"
                + "\"date\":\"2026-01-01\",\"ischarging\":true,\"ser\":\"unknown\","
                + "\"act\":\"IN_VEHICLE\",\"filename\":\"20260101\","
                + "\"profile\":\"Default Profile\",\"hdop\":0.9,\"vdop\":1.1,\"pdop\":1.4,"
                + "\"dist\":1250}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id=i&aid=a&ser=s|i",
        "ser=s&aid=a|a",
        "id=&aid=a|a",
        "aid=&ser=s|s",
      })
  void decode_device_idElseAidElseSer(String parameters, String device) {
    assertThat(event("lat=1&lon=2&" + parameters)).startsWith("{\"riderId\":\"" + device + "\",");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "spd=10|`\"speed\":10`",
        "spd_kph=36|`\"speed\":10`",
        "speed=36|`\"speed\":18.52`",
        "spd=-1&spd_kph=36|`\"speed\":10,\"attributes\":{\"spd\":-1}`",
        "speed=36&spd=10|`\"speed\":10,\"attributes\":{\"speed\":36}`",
        "dir=360|`\"bearing\":360`",
        "acc=5&accuracy=6|`\"accuracy\":6,\"attributes\":{\"acc\":5}`",
        "batt=0|`\"battery\":0`",
        "ischarging=1|`\"attributes\":{\"ischarging\":true}`",
        "desc=5|`\"attributes\":{\"desc\":\"5\"}`"
      })
  void decode_unit_isDecidedByTheName(String parameters, String expected) {
    assertThat(event("id=d&timestamp=1767225600&lat=37.4979&lon=127.0276&" + parameters))
        .isEqualTo("{\"riderId\":\"d\"," + FIX_JSON + "," + expected + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time=2026-01-01T00:00:00.250Z|2026-01-01T00:00:00.250Z",
        "timeoffset=2026-01-01T09:00:00.000+09:00|2026-01-01T00:00:00Z",
        "time=&timeoffset=2026-01-01T09:00:00.000%2B0900|2026-01-01T00:00:00Z",
        "date=2020-01-01|2026-01-01T00:00:00Z"
      })
  void decode_noTimestamp_timeIsUsed(String parameters, String instant) {
    assertThat(event("aid=d&lat=1&lon=2&" + parameters)).contains("\"at\":\"" + instant + "\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lat=1&lon=2&aid=|id: missing",
        "aid=d&lat=1&lon=2&time=noon|time: not a time",
        "aid=d&lat=&lon=2|lat: missing",
        "aid=d&lat=%25LAT&lon=2|lat: not a number",
        "ser=a%07&lat=1&lon=2|ser: control character"
      })
  void decode_cannotBeUsed_isRejectedWhole(String upload, String reject) {
    Decoded decoded = Decoded.of(gpsLogger, upload);
    assertThat(decoded.reject()).isEqualTo(reject);
    assertThat(decoded.rejected()).containsExactly(upload);
  }

  @Test
  void decode_noPlace_isAHeartbeat() {
    assertThat(event("aid=d&batt=61")).contains("\"message\":\"heartbeat\"");
  }

  @Test
  void decode_bodyTemplateOfJson_isThatPosition() {
    assertThat(
            event(
                "{\"id\":\"d\",\"time\":1767225600,\"lat\":37.4979,\"lon\":127.0276,\"spd\":5.0}"))
        .isEqualTo("{\"riderId\":\"d\"," + FIX_JSON + ",\"speed\":5}");
  }

  @Test
  void decode_takenForTheOtherDialect_sameEvent() {
    assertThat(Decoded.of(new Osmand(), ALL)).isEqualTo(Decoded.of(gpsLogger, ALL));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id=d&lat=1&lon=2&timestamp=1&acc=5|true",
        "lat=1&lon=2&aid=d|true",
        "id=d&lat=1&lon=2&spd=1&alt=2&speed=3|true",
        "id=d&lat=1&lon=2&timestamp=1|false",
        "id=d&lat=1&lon=2&timestamp=1&hdop=1&altitude=2&speed=3|false",
        "deviceid=d&lat=1&lon=2&acc=3|false",
        "|false"
      })
  void speaks_decidedByTheNames(String upload, boolean expected) {
    byte[] bytes = (upload == null ? "" : upload).getBytes(StandardCharsets.UTF_8);
    assertThat(GpsLogger.speaks(Parameters.of(bytes, 0, bytes.length))).isEqualTo(expected);
  }

  @Test
  void speaks_all() {
    byte[] bytes = ALL.getBytes(StandardCharsets.UTF_8);
    assertThat(GpsLogger.speaks(Parameters.of(bytes, 0, bytes.length))).isTrue();
  }

  @Test
  void answer_isEmpty_andEveryCommandRefused() {
    JsonBuffer out = new JsonBuffer();
    gpsLogger.answer(List.of(), List.of(), out);
    assertThat(out.size()).isZero();
    assertThat(gpsLogger.commandsMax()).isZero();
    for (PhoneCommand.Type type : PhoneCommand.Type.values()) {
      assertThat(gpsLogger.refusal(new PhoneCommand("c", type, "{}", "t"))).isNotNull();
    }
  }

  private String event(String upload) {
    return Decoded.of(gpsLogger, upload).event();
  }
}
