package gilmok.collect.overland;

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
class OverlandTest {
  private static final String POINT = "'geometry':{'type':'Point','coordinates':[127,37.5]}";
  private static final String TIME = "'timestamp':'2026-03-01T09:00:00Z'";
  private static final String FEATURE =
      "{'type':'Feature'," + POINT + ",'properties':{" + TIME + ",'device_id':'d'}}";
  private static final String LEAST =
      "{'riderId':'d','at':'2026-03-01T09:00:00Z','lat':37.5,'lon':127}";

  private final Overland overland = new Overland();

  @Test
  void decode_location_normalised() {
    assertThat(
            event(
                feature(
                    "'timestamp':'2015-10-01T08:00:00-0700','altitude':-12,'speed':4,'course':271.4,"
                        + "'horizontal_accuracy':30,'vertical_accuracy':3,'speed_accuracy':0.4,"
                        + "'motion':['driving'],'battery_state':'charging','battery_level':0.89,"
                        + "'wifi':'','device_id':'d','unique_id':'00-7','trip_id':'t'")))
        .isEqualTo(
            json(
                "{'riderId':'d','at':'2015-10-01T15:00:00Z','lat':37.5,'lon':127,'accuracy':30,"
                    + "'speed':4,'bearing':271.4,'altitude':-12,'battery':0.89,'attributes':"
                    + "{'vertical_accuracy':3,'speed_accuracy':0.4,'motion':['driving'],"
                    + "'battery_state':'charging','wifi':'','unique_id':'00-7','trip_id':'t'}}"));
  }

  @Test
  void decode_unknown_leavesNoTrace() {
    assertThat(
            event(
                feature(
                    TIME
                        + ",'speed':-1,'course':-1,'horizontal_accuracy':-1,'vertical_accuracy':-1,"
                        + "'speed_accuracy':-1,'course_accuracy':-1,'battery_level':-1,"
                        + "'device_id':'d'")))
        .isEqualTo(json(LEAST));
  }

  @Test
  void decode_oddValues_becomeAttributes() {
    assertThat(
            event(
                feature(
                    TIME
                        + ",'speed':'fast','course':400,'battery_level':2,'altitude':null,"
                        + "'device_id':'d'")))
        .isEqualTo(
            json(
                LEAST.replace(
                    "127}", "127,'attributes':{'speed':'fast','bearing':400,'battery':2}}")));
  }

  @Test
  void decode_currentAndTrip_followTheLocations() {
    Decoded decoded =
        decoded(
            "{'locations':["
                + FEATURE
                + "],'current':"
                + FEATURE.replace("37.5", "38")
                + ",'trip':{'mode':'car','start':'s','distance':1.5,'start_location':null,"
                + "'current_location':"
                + FEATURE
                + "}}");
    assertThat(decoded.rejects()).isEmpty();
    assertThat(decoded.events())
        .containsExactly(
            json(LEAST),
            json(LEAST.replace("37.5", "38")),
            json(
                "{'riderId':'d','at':'2026-03-01T09:00:00Z','level':'info','message':'trip',"
                    + "'attributes':{'mode':'car','start':'s','distance':1.5,'current_location':"
                    + FEATURE
                    + "}}"));
  }

  @Test
  void decode_tripWithoutItsPlace_isNow() {
    assertThat(event("{'locations':null,'trip':{'mode':'car'},'device_id':'d'}"))
        .isEqualTo(
            json(
                "{'riderId':'d','at':'2026-01-01T00:00:00Z','level':'info','message':'trip',"
                    + "'attributes':{'mode':'car'}}"));
  }

  @Test
  void decode_whatTheAppDid_isALogLine() {
    String properties = TIME + ",'action':'visit','arrival_date':'x','departure_date':null";
    assertThat(event(feature(properties + ",'device_id':'d'")))
        .isEqualTo(
            json(
                "{'riderId':'d','at':'2026-03-01T09:00:00Z','level':'info','message':'visit',"
                    + "'attributes':{'action':'visit','arrival_date':'x',"
                    + POINT
                    + "}}"));
  }

  @Test
  void decode_aTripThatEnded_isALogLine() {
    assertThat(event(feature(TIME + ",'type':'trip','mode':'walk','device_id':'d'")))
        .startsWith(
            json(
                "{'riderId':'d','at':'2026-03-01T09:00:00Z','level':'info','message':'trip',"
                    + "'attributes':{'type':'trip','mode':'walk',"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'properties':{T,'device_id':'d'}",
        "'geometry':null,'properties':{T,'device_id':'d'}",
        "'geometry':{'type':'LineString','coordinates':[]},'properties':{T,'device_id':'d'}",
      })
  void decode_featureWithoutPoint_isALogLine(String members) {
    String feature = "{'type':'Feature'," + members.replace("T", TIME) + "}";
    assertThat(event("{'locations':[" + feature + "]}"))
        .startsWith(
            json(
                "{'riderId':'d','at':'2026-03-01T09:00:00Z','level':'info',"
                    + "'message':'feature'"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "'d'|-|-|d",
        "'d'|'e'|f|d",
        "-|'e'|f|e",
        "''|' e '|f|e",
        "-|-|f|f",
        "7|-|-|7",
      })
  void decode_device_theFeaturesThenTheEnvelopesThenTheUploads(
      @Nullable String own, @Nullable String envelope, @Nullable String upload, String rider) {
    String body =
        "{'locations':[{'type':'Feature',"
            + POINT
            + ",'properties':{"
            + TIME
            + (own == null ? "" : ",'device_id':" + own)
            + "}}]"
            + (envelope == null ? "" : ",'device_id':" + envelope)
            + "}";
    assertThat(decoded(body, upload).event())
        .startsWith(json("{'riderId':'" + rider + "','at':'2026-03-01T09:00:00Z','lat':37.5"));
  }

  @Test
  void decode_envelope_itsMembersGoToEachEvent() {
    assertThat(event("{'locations':[" + FEATURE + "],'shift':'early','device_id':'d'}"))
        .isEqualTo(json(LEAST.replace("127}", "127,'attributes':{'shift':'early'}}")));
  }

  @Test
  void decode_batch_eachIsJudgedByItself() {
    String beyond = FEATURE.replace("37.5", "97.5");
    Decoded decoded = decoded("{'locations':[" + FEATURE + ", " + beyond + ",5," + FEATURE + "]}");
    assertThat(decoded.events()).containsExactly(json(LEAST), json(LEAST));
    assertThat(decoded.rejects()).containsExactly("coordinates: out of range", ": not an object");
    assertThat(decoded.rejected()).containsExactly(json(beyond), "5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'locations':[{P,'properties':{T}}]}|device_id: missing",
        "{'locations':[{P,'properties':{T,'device_id':[]}}]}|device_id: not a string",
        "{'locations':[{P,'properties':{'device_id':'d'}}]}|timestamp: missing",
        "{'locations':[{P}],'device_id':'d'}|timestamp: missing",
        "{'locations':[{P,'properties':[5]}],'device_id':'d'}|timestamp: missing",
        "{'locations':[{P,'properties':{'timestamp':'yesterday','device_id':'d'}}]}"
            + "|timestamp: not a time",
        "{'locations':[{'geometry':{'type':'Point'},'properties':{T,'device_id':'d'}}]}"
            + "|coordinates: missing",
        "{'locations':[{'geometry':{'type':'Point','coordinates':[1]},'properties':{T,"
            + "'device_id':'d'}}]}|coordinates: missing",
        "{'locations':[{'geometry':{'type':'Point','coordinates':{'a':1,'b':2}},'properties':{T,"
            + "'device_id':'d'}}]}|coordinates: missing",
        "{'locations':[{'geometry':{'type':'Point','coordinates':['1','2']},'properties':{T,"
            + "'device_id':'d'}}]}|coordinates: not a number",
        "{'locations':[{'properties':{T,'device_id':'d'}}]}|type: not a feature",
        "{'locations':[{}]}|type: not a feature",
        "{'locations':[null]}|: not an object",
        "{'current':5}|: not an object",
        "{'trip':5}|trip: not an object",
        "{'trip':{}}|device_id: missing",
        "{'locations':{}}|locations: not an array",
        "{'locations':null}|locations: missing",
        "{}|locations: missing",
        "[]|: not an object",
        "x|: unexpected character",
      })
  void decode_whatCannotBeKept_isOneReject(String body, String reject) {
    assertThat(
            decoded(
                    body.replace("P,", POINT + ",")
                        .replace("P}", POINT + "}")
                        .replace("T,", TIME + ",")
                        .replace("T}", TIME + "}"))
                .reject())
        .isEqualTo(reject);
  }

  @Test
  void decode_recorded_asExpected() {
    assertThat(RecordedCounts.counts(overland, "overland", "rider-7"))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("actions", "0 2 0"),
                Map.entry("colota", "1 0 0"),
                Map.entry("current-and-trip", "4 1 0"),
                Map.entry("entry-without-geometry", "1 1 0"),
                Map.entry("no-locations", "0 0 0"),
                Map.entry("one-bad-among-good", "2 0 2"),
                Map.entry("readme", "1 0 0"),
                Map.entry("trip-ended", "0 1 0"),
                Map.entry("trip-without-start", "1 1 0"),
                Map.entry("unknown-values", "1 0 0"),
                Map.entry("visit", "0 1 0")));
  }

  @Test
  void answer_always_saysThatAllWasTaken() {
    assertThat(answer()).isEqualTo(json("{'result':'ok'}"));
    assertThat(answer(command(PhoneCommand.Type.CONFIGURE, "{ 'send_interval' : '10s' }")))
        .isEqualTo(json("{'result':'ok','set':{'send_interval':'10s'}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "CONFIGURE|{'main':{'batch_size':200}}|-",
        "CONFIGURE|{'trip':{'logging_mode':'owntracks'}}"
            + "|with logging_mode owntracks it would no longer speak Overland",
        "CONFIGURE|[]|the settings must be a JSON object",
        "REPORT|-|Overland has no command that asks for a position",
        "TEXT|-|Overland takes settings only",
        "CUSTOM|{}|Overland takes settings only",
      })
  void refusal_byCommand(
      PhoneCommand.Type type, @Nullable String settings, @Nullable String refusal) {
    assertThat(overland.refusal(command(type, settings))).isEqualTo(refusal);
  }

  private String answer(PhoneCommand... commands) {
    JsonBuffer out = new JsonBuffer();
    overland.answer(List.of(commands), List.of(), out);
    return out.toString();
  }

  private static PhoneCommand command(PhoneCommand.Type type, @Nullable String settings) {
    return new PhoneCommand("c", type, settings == null ? null : json(settings), null);
  }

  private static String feature(String properties) {
    return "{'locations':[{'type':'Feature'," + POINT + ",'properties':{" + properties + "}}]}";
  }

  private Decoded decoded(String body) {
    return decoded(body, null);
  }

  private Decoded decoded(String body, @Nullable String device) {
    byte[] bytes = json(body).getBytes(StandardCharsets.UTF_8);
    Upload upload = new Upload(bytes, 0, bytes.length, null, device, Decoded.NOW);
    return Decoded.of(overland, upload, id -> id);
  }

  private String event(String body) {
    return decoded(body).event();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
