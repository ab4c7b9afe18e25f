package gilmok.collect.geolocation;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.collect.dialect.Decoded;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.dialect.RecordedCounts;
import gilmok.collect.dialect.Upload;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class GeolocationTest {
  private static final String TIME = "'timestamp':'2026-03-01T09:00:00Z'";
  private static final String COORDS = "'coords':{'latitude':37.5,'longitude':127.0}";
  private static final String LEAST =
      "{'riderId':'d','at':'2026-03-01T09:00:00Z','lat':37.5,'lon':127}";

  private final Geolocation geolocation = new Geolocation();

  @Test
  void decode_traccarClient_normalised() {
    assertThat(
            event(
                "{'location':{'timestamp':'2025-06-15T13:45:12.862Z','coords':{'latitude':37.4219983,"
                    + "'longitude':-122.084,'accuracy':5,'speed':1.5,'heading':90,'altitude':-5.5},"
                    + "'is_moving':false,'odometer':12.5,'event':'motionchange','battery':{'level':0.4,"
                    + "'is_charging':true},'activity':{'type':'still'},'extras':{'n':1,'b':true,"
                    + "'t':'x','o':{'a':[null]}},'alarm':'sos','mock':true,'_':'&id=48241179&'},"
                    + "'device_id':'48241179'}"))
        .isEqualTo(
            json(
                "{'riderId':'48241179','at':'2025-06-15T13:45:12.862Z','lat':37.4219983,"
                    + "'lon':-122.084,'accuracy':5,'speed':1.5,'bearing':90,'altitude':-5.5,"
                    + "'battery':0.4,'attributes':{'is_moving':false,'odometer':12.5,"
                    + "'event':'motionchange','is_charging':true,'activity':{'type':'still'},"
                    + "'alarm':'sos','mock':true,'n':1,'b':true,'t':'x','o':{'a':[null]}}}"));
  }

  @Test
  void decode_raw_uuidIsItsIdAndTheRestIsKept() {
    assertThat(
            event(
                "{'location':{'uuid':'u-1','age':188,'is_heartbeat':true,"
                    + TIME
                    + ",'geofence':{'identifier':'g','action':'ENTER'},'activity':{'type':'still',"
                    + "'confidence':9},"
                    + COORDS
                    + "},'device_id':7,'user_id':1234}"))
        .isEqualTo(
            json(
                "{'riderId':'7','at':'2026-03-01T09:00:00Z','lat':37.5,'lon':127,'id':'u-1',"
                    + "'attributes':{'age':188,'is_heartbeat':true,'geofence':{'identifier':'g',"
                    + "'action':'ENTER'},'activity':{'type':'still','confidence':9},"
                    + "'user_id':1234}}"));
  }

  @Test
  void decode_unknown_leavesNoTrace() {
    assertThat(
            event(
                "{'location':{"
                    + TIME
                    + ",'coords':{'latitude':37.5,'longitude':127,'accuracy':-1,'speed':-1,"
                    + "'heading':-1.0,'speed_accuracy':-1,'heading_accuracy':-1,"
                    + "'altitude_accuracy':-1,'floor':null},'battery':{'level':-1},'extras':{}},"
                    + "'device_id':'d'}"))
        .isEqualTo(json(LEAST));
  }

  @Test
  void decode_oddValues_becomeAttributes() {
    assertThat(
            event(
                "{'location':{"
                    + TIME
                    + ",'uuid':['u'],'battery':80,'extras':[1],'coords':{'latitude':37.5,"
                    + "'longitude':127,'accuracy':'fine','speed':-2,'heading':400,"
                    + "'altitude':1e400}},'device_id':'d'}"))
        .isEqualTo(
            json(
                "{'riderId':'d','at':'2026-03-01T09:00:00Z','lat':37.5,'lon':127,'attributes':"
                    + "{'accuracy':'fine','speed':-2,'bearing':400,'altitude':1e400,'uuid':['u'],"
                    + "'battery':80,'extras':[1]}}"));
  }

  @Test
  void decode_noCoords_isAHeartbeat() {
    String expected =
        "{'riderId':'d','at':'2026-03-01T09:00:00Z','level':'info','message':'heartbeat',"
            + "'id':'u','attributes':{'battery':{'level':0.5,'is_charging':true}}}";
    String rest = "'uuid':'u','battery':{'level':0.5,'is_charging':true}},'device_id':'d'}";
    assertThat(event("{'location':{" + TIME + "," + rest)).isEqualTo(json(expected));
    assertThat(event("{'location':{'coords':null," + TIME + "," + rest)).isEqualTo(json(expected));
  }

  @Test
  void decode_heartbeatWithoutATime_isNow() {
    assertThat(event("{'location':{},'device_id':'d'}"))
        .isEqualTo(
            json(
                "{'riderId':'d','at':'2026-01-01T00:00:00Z','level':'info',"
                    + "'message':'heartbeat'}"));
    assertThat(event("{'location':{'timestamp':'soon'},'device_id':'d'}"))
        .isEqualTo(
            json(
                "{'riderId':'d','at':'2026-01-01T00:00:00Z','level':'info','message':'heartbeat',"
                    + "'attributes':{'timestamp':'soon'}}"));
  }

  @Test
  void decode_batch_eachIsJudgedByItself() {
    String good = "{" + TIME + "," + COORDS + "}";
    Decoded decoded =
        decoded(
            "{'location':["
                + good
                + ",5,{'coords':{'latitude':91,'longitude':127},"
                + TIME
                + "}, "
                + good
                + "],'device_id':'d'}");
    assertThat(decoded.events()).containsExactly(json(LEAST), json(LEAST));
    assertThat(decoded.rejects())
        .containsExactly("location: not an object", "latitude: out of range");
    assertThat(decoded.rejected())
        .containsExactly("5", json("{'coords':{'latitude':91,'longitude':127}," + TIME + "}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'location':{T,C},'device_id':'d'}",
        "{'location':{T,C,'device_id':'d','extras':{'device_id':'d'}},'device_id':'d'}",
        "{'location':{T,C,'extras':{'device_id':'d'}}}",
        "{'location':{T,C,'device_id':'d'},'device_id':''}",
        "{'location':[{T,C}],'device_id':' d '}",
        "{'locations':[{T,C}],'device_id':'d'}",
        "{T,C,'device_id':'d'}",
        "[{T,C,'extras':{'device_id':'d'}}]",
        "\ufeff {'location':{T,C},'device_id':'d'} ",
        "{'location':{'timestamp':1772355600000,C},'device_id':'d'}",
        "{'location':{'timestamp':'2026-03-01T02:00:00-0700',C},'device_id':'d'}",
        "{'location':{T,C,'timestamp':5},'location':7,'device_id':'d'}",
      })
  void decode_itsForms_areOnePosition(String form) {
    assertThat(event(form.replace("T,", TIME + ",").replace("C", COORDS))).isEqualTo(json(LEAST));
  }

  @Test
  void decode_devicesThatDiffer_theRootsCountsAndTheOtherIsKept() {
    assertThat(event("{'location':{" + TIME + "," + COORDS + ",'device_id':'e'},'device_id':'d'}"))
        .isEqualTo(json(LEAST.replace("127}", "127,'attributes':{'device_id':'e'}}")));
  }

  @Test
  void decode_noDeviceInIt_theUploadsCounts() {
    byte[] body =
        json("{'location':{" + TIME + "," + COORDS + "}}").getBytes(StandardCharsets.UTF_8);
    Upload upload = new Upload(body, 0, body.length, null, "d", Decoded.NOW);
    assertThat(Decoded.of(geolocation, upload, device -> device).event()).isEqualTo(json(LEAST));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'location':{T,C}}|device_id: missing",
        "{'location':{T,C},'device_id':{}}|device_id: not a string",
        "{'location':{T,C},'device_id':'\\u0000'}|device_id: control character",
        "{'location':{T,C},'device_id':'\\ud800'}|device_id: lone surrogate",
        "{'location':{C},'device_id':'d'}|timestamp: missing",
        "{'location':{'timestamp':'now',C},'device_id':'d'}|timestamp: not a time",
        "{'location':{'timestamp':true,C},'device_id':'d'}|timestamp: not a time",
        "{'location':{'timestamp':'1969-01-01T00:00:00Z',C},'device_id':'d'}|timestamp: out of"
            + " range",
        "{'location':{T,'coords':5},'device_id':'d'}|coords: not an object",
        "{'location':{T,'coords':{}},'device_id':'d'}|latitude: missing",
        "{'location':{T,'coords':{'latitude':1}},'device_id':'d'}|longitude: missing",
        "{'location':{T,'coords':{'latitude':'1','longitude':2}},'device_id':'d'}|latitude: not a"
            + " number",
        "{'location':{T,'coords':{'latitude':1,'longitude':181}},'device_id':'d'}|longitude: out of"
            + " range",
        "{'location':'here','device_id':'d'}|location: not an object",
        "{'device_id':'d'}|location: missing",
        "{}|location: missing",
        "5|: not an object",
        "'x'|: not an object",
        "id=5&lat=1|: unexpected character",
        "{'location':{|: unexpected end",
        "' '|: not an object",
      })
  void decode_whatCannotBeAPosition_isOneReject(String body, String reject) {
    assertThat(decoded(body.replace("T,", TIME + ",").replace("C}", COORDS + "}")).reject())
        .isEqualTo(reject);
  }

  @Test
  void decode_nothing_isOneReject() {
    assertThat(decoded("").reject()).isEqualTo(": empty");
  }

  @Test
  void decode_anEmptyBatch_isNothing() {
    assertThat(decoded("{'location':[]}")).isEqualTo(new Decoded(List.of(), List.of(), List.of()));
  }

  @Test
  void decode_moreThanAnUploadHolds_theRestIsOneReject() {
    String upload = "[" + "0,".repeat(Upload.EVENTS_MAX + 5) + "0]";
    Decoded decoded = decoded(upload);
    assertThat(decoded.rejects()).hasSize(Upload.EVENTS_MAX + 1);
    assertThat(decoded.rejects().getLast()).isEqualTo(": too large");
    assertThat(decoded.rejected().getLast()).isEqualTo("0,0,0,0,0,0]");
  }

  @Test
  void decode_recorded_asExpected() {
    assertThat(RecordedCounts.counts(geolocation, "geolocation", null))
        .isEqualTo(
            Map.of(
                "android-moving", "1 0 0",
                "batch", "2 0 0",
                "empty-object", "0 0 1",
                "geofence", "1 0 0",
                "heartbeat", "1 0 0",
                "ios-all-unknown", "1 0 0"));
    assertThat(RecordedCounts.counts(geolocation, "traccar9", null))
        .isEqualTo(
            Map.of(
                "driving", "1 0 0",
                "extras-of-each-type", "1 0 0",
                "heartbeat-source-in-root", "1 0 0",
                "heartbeat-with-position", "1 0 0",
                "heartbeat-without-position", "0 1 0",
                "motionchange", "1 0 0",
                "remote-request", "1 0 0",
                "sos", "1 0 0"));
  }

  @Test
  void answer_noCommand_isAnEmptyObject() {
    assertThat(answer()).isEqualTo("{}");
  }

  @Test
  void answer_commands_areCallsOfItsMethods() {
    assertThat(
            answer(
                command(PhoneCommand.Type.CONFIGURE, "{ 'distanceFilter' : 25 }"),
                command(PhoneCommand.Type.CUSTOM, "['changePace', true]"),
                command(PhoneCommand.Type.CUSTOM, "[['stop'],['start']]")))
        .isEqualTo(
            json(
                "{'background_geolocation':[['setConfig',{'distanceFilter':25}],"
                    + "['changePace',true],['stop'],['start']]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "CONFIGURE|{'a':1}|-",
        "CONFIGURE|[]|the settings must be a JSON object",
        "CONFIGURE|{'a':'\\ud800'}|the settings must be a JSON object",
        "CONFIGURE|-|the settings must be a JSON object",
        "CUSTOM|['stop']|-",
        "CUSTOM|[['stop'],['start']]|-",
        "REPORT|-|background-geolocation has no command that asks for a position",
        "TEXT|-|background-geolocation takes commands as JSON, not as a text",
      })
  void refusal_byCommand(
      PhoneCommand.Type type, @Nullable String settings, @Nullable String refusal) {
    assertThat(geolocation.refusal(command(type, settings))).isEqualTo(refusal);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"[]", "{}", "[1]", "[['stop'],1]", "'stop'", "[[]]", "x"})
  void refusal_customThatIsNoCall_saysItsForm(String settings) {
    assertThat(geolocation.refusal(command(PhoneCommand.Type.CUSTOM, settings)))
        .startsWith("must be a JSON array");
  }

  private String answer(PhoneCommand... commands) {
    JsonBuffer out = new JsonBuffer();
    geolocation.answer(List.of(commands), List.of(), out);
    return out.toString();
  }

  private static PhoneCommand command(PhoneCommand.Type type, @Nullable String settings) {
    return new PhoneCommand("c", type, settings == null ? null : json(settings), null);
  }

  private Decoded decoded(String body) {
    return Decoded.of(geolocation, json(body));
  }

  private String event(String body) {
    return decoded(body).event();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
