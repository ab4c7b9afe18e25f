package gilmok.collect.owntracks;

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
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
@ResourceLock("java.util.logging")
class OwnTracksTest {
  private static final String LEAST = "{'_type':'location','lat':37.5,'lon':127,'tst':1772355600}";
  private static final String POSITION =
      "{'riderId':'owntracks-phone','at':'2026-03-01T09:00:00Z','lat':37.5,'lon':127}";

  private final OwnTracks ownTracks = new OwnTracks();

  @Test
  void decode_location_normalised() {
    assertThat(
            event(
                "{'_type':'location','_id':'a1b2','tid':'r7','lat':37.5,'lon':127,"
                    + "'tst':1772355600,'acc':10,'alt':20,'vac':1,'vel':36,'cog':56,'batt':30,"
                    + "'bs':2,'t':'u','conn':'m','m':1,'p':101.5,'rad':50,'poi':'x','tag':'y',"
                    + "'inregions':['a'],'inrids':['b'],'SSID':'s','BSSID':'bs','created_at':5,"
                    + "'motionactivities':[],'topic':'o/x/y'}"))
        .isEqualTo(
            json(
                "{'riderId':'owntracks-phone','at':'2026-03-01T09:00:00Z','lat':37.5,'lon':127,"
                    + "'accuracy':10,'speed':10,'bearing':56,'altitude':20,'battery':0.3,"
                    + "'id':'a1b2','attributes':{'tid':'r7','vac':1,'bs':2,'t':'u','conn':'m','m':1,"
                    + "'p':101.5,'rad':50,'poi':'x','tag':'y','inregions':['a'],'inrids':['b'],"
                    + "'SSID':'s','BSSID':'bs','created_at':5,'motionactivities':[],"
                    + "'topic':'o/x/y'}}"));
  }

  @Test
  void decode_oddValues_becomeAttributes() {
    assertThat(
            event(
                "{'_type':'location','lat':37.5,'lon':127,'tst':1772355600,'vel':-36,'cog':-1,"
                    + "'batt':'full','acc':[1],'alt':null,'_id':''}"))
        .isEqualTo(
            json(
                POSITION.replace(
                    "127}",
                    "127,'attributes':{'speed':-10,'bearing':-1,'batt':'full','acc':[1]}}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "-|-|-|owntracks-phone",
        "Jane|iPhone|-|jane-iphone",
        "Jane|-|owntracks/a/b|jane-phone",
        "-|Pixel|owntracks/a/b|owntracks-pixel",
        "-|-|owntracks/Jane/iPhone|jane-iphone",
        "-|-|owntracks/jane/iphone/event|jane-iphone",
        "-|-|owntracks/jane|owntracks-phone",
        "-|-|owntracks//|owntracks-phone",
        "-|-|other/jane/iphone|owntracks-phone",
      })
  void decode_device_byHeadOrTopic(
      @Nullable String user, @Nullable String device, @Nullable String topic, String rider) {
    String message = topic == null ? LEAST : LEAST.replace("}", ",'topic':'" + topic + "'}");
    assertThat(decoded(message, user, device).event()).startsWith(json("{'riderId':'" + rider));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "transition|'tst':1772355600,'wtst':5,'event':'enter','lat':1|2026-03-01T09:00:00Z"
            + "|'wtst':5,'event':'enter','lat':1",
        "waypoint|'tst':4,'desc':'x'|2026-01-01T00:00:00Z|'tst':4,'desc':'x'",
        "lwt|'tst':1|2026-01-01T00:00:00Z|'tst':1",
        "waypoints|'waypoints':[{'_type':'waypoint'}]|2026-01-01T00:00:00Z"
            + "|'waypoints':[{'_type':'waypoint'}]",
        "steps|'tst':1772355600,'steps':-1|2026-03-01T09:00:00Z|'steps':-1",
        "status|'iOS':{'version':'25'}|2026-01-01T00:00:00Z|'iOS':{'version':'25'}",
        "card|'name':'R','face':'iVBO'|2026-01-01T00:00:00Z|'name':'R','face':'iVBO'",
        "beacon|'tst':1772355600,'prox':2|2026-03-01T09:00:00Z|'prox':2",
        "request|'request':'tour'|2026-01-01T00:00:00Z|'request':'tour'",
        "encrypted|'data':'1Vu7=='|2026-01-01T00:00:00Z|'data':'1Vu7=='",
        "something new|'tst':'soon'|2026-01-01T00:00:00Z|'tst':'soon'",
      })
  void decode_otherTypes_areLogLines(String type, String members, String at, String attributes) {
    assertThat(event("{'_type':'" + type + "'," + members + ",'_id':'i'}"))
        .isEqualTo(
            json(
                "{'riderId':'owntracks-phone','at':'"
                    + at
                    + "','level':'info','message':'"
                    + type
                    + "','id':'i','attributes':{"
                    + attributes
                    + "}}"));
  }

  @Test
  void decode_settingsOfThePhone_keptWithoutSecrets() {
    assertThat(
            event(
                "{'_type':'dump','tid':'r7','configuration':{'mode':3,'password':'gk_a_b',"
                    + "'url':'https://u:p@fleet.example.com/','encryptionKey':'k','deviceId':'x'}}"))
        .endsWith(json("'attributes':{'tid':'r7','mode':3,'deviceId':'x'}}"));
    assertThat(event("{'_type':'configuration','username':'u','password':'gk_a_b'}"))
        .endsWith(json("'attributes':{'username':'u'}}"));
  }

  @Test
  void decode_settingsOfThePhoneThatHaveNoRoom_areNeverSetAsideWithTheirSecrets() {
    String large = "x".repeat(20_000);
    assertThat(
            event("{'_type':'dump','configuration':{'password':'p','waypoints':'" + large + "'}}"))
        .endsWith(json("'attributes':{'attributesDropped':true}}"));
  }

  @Test
  void decode_messageThatHasNoRoom_isSetAsideWhole() {
    String card = "{'_type':'card','face':'" + "x".repeat(20_000) + "'}";
    Decoded decoded = decoded(card);
    assertThat(decoded.reject()).isEqualTo(": no room for all of it in a log line");
    assertThat(decoded.rejected()).containsExactly(json(card));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|_type: missing",
        "{'_type':null}|_type: missing",
        "{'_type':5}|_type: not a string",
        "{'_type':''}|_type: empty",
        "{'_type':'\\ud800'}|_type: lone surrogate",
        "{'_type':'card','name':'\\ud800'}|: lone surrogate",
        "{'_type':'location','lon':1,'tst':1}|lat: missing",
        "{'_type':'location','lat':1,'tst':1}|lon: missing",
        "{'_type':'location','lat':'1','lon':1,'tst':1}|lat: not a number",
        "{'_type':'location','lat':1,'lon':-180.5,'tst':1}|lon: out of range",
        "{'_type':'location','lat':1,'lon':1}|tst: missing",
        "{'_type':'location','lat':1,'lon':1,'tst':'1'}|tst: not a time",
        "{'_type':'location','lat':1,'lon':1,'tst':-5}|tst: not a time",
        "{'_type':'location','lat':1,'lon':1,'tst':1772355600123}|tst: out of range",
        "5|: not an object",
        "[5]|: not an object",
        "[[]]|: not an object",
        "--{}|: unexpected character",
      })
  void decode_whatCannotBeKept_isOneReject(String body, String reject) {
    assertThat(decoded(body).reject()).isEqualTo(reject);
  }

  @Test
  void decode_aDeviceThatIsTooLong_isOneReject() {
    assertThat(decoded(LEAST, "x".repeat(200), null).reject()).isEqualTo("u: too long");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"``", "` \n`", "[]", "\ufeff"})
  void decode_nothing_isNothing(String body) {
    assertThat(decoded(body)).isEqualTo(new Decoded(List.of(), List.of(), List.of()));
  }

  @Test
  void decode_anArray_eachIsJudgedByItself() {
    Decoded decoded = decoded("[" + LEAST + ",{'_type':'lwt','tst':1},{}," + LEAST + "]");
    assertThat(decoded.events()).hasSize(3);
    assertThat(decoded.events().getLast()).isEqualTo(json(POSITION));
    assertThat(decoded.rejects()).containsExactly("_type: missing");
    assertThat(decoded.rejected()).containsExactly("{}");
  }

  @Test
  void decode_repeatedMembers_theFirstCounts() {
    assertThat(event(LEAST.replace("}", ",'lat':1,'tst':5,'_type':'lwt'}")))
        .isEqualTo(json(POSITION));
  }

  @Test
  void decode_recorded_asExpected() {
    Map<String, String> counts = RecordedCounts.counts(ownTracks, "owntracks", null);
    assertThat(counts.remove("broken-json")).isEqualTo("0 0 1");
    assertThat(counts.remove("empty-body")).isEqualTo("0 0 0");
    assertThat(counts).hasSizeGreaterThanOrEqualTo(20);
    counts.forEach(
        (name, count) ->
            assertThat(count).as(name).isEqualTo(name.startsWith("location-") ? "1 0 0" : "0 1 0"));
  }

  @Test
  void answer_nothing_isAnEmptyArray() {
    assertThat(answer()).isEqualTo("[]");
  }

  @Test
  void answer_commands_areMessages() {
    assertThat(
            answer(
                command(PhoneCommand.Type.REPORT, null),
                command(PhoneCommand.Type.CONFIGURE, "{ 'monitoring' : 2 }"),
                command(PhoneCommand.Type.CONFIGURE, "{}"),
                command(PhoneCommand.Type.CONFIGURE, "{'a':1,'_type':'configuration'}"),
                command(PhoneCommand.Type.CUSTOM, "{'action':'dump'}"),
                command(PhoneCommand.Type.CUSTOM, "{'_type':'card','name':'n'}")))
        .isEqualTo(
            json(
                "[{'_type':'cmd','action':'reportLocation'},"
                    + "{'_type':'cmd','action':'setConfiguration','configuration':"
                    + "{'_type':'configuration','monitoring':2}},"
                    + "{'_type':'cmd','action':'setConfiguration','configuration':"
                    + "{'_type':'configuration'}},"
                    + "{'_type':'cmd','action':'setConfiguration','configuration':"
                    + "{'a':1,'_type':'configuration'}},"
                    + "{'_type':'cmd','action':'dump'},"
                    + "{'_type':'card','name':'n'}]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "REPORT|-|-",
        "TEXT|-|OwnTracks takes commands as JSON, not as a text",
        "CONFIGURE|{'a':1}|-",
        "CONFIGURE|{'_type':'configuration'}|-",
        "CONFIGURE|{'_type':'cmd'}|the settings must be a JSON object of _type configuration",
        "CONFIGURE|[]|the settings must be a JSON object of _type configuration",
        "CONFIGURE|-|the settings must be a JSON object of _type configuration",
        "CUSTOM|{'action':'dump'}|-",
        "CUSTOM|{'_type':'cmd','action':'dump'}|-",
        "CUSTOM|{'_type':'card'}|-",
        "CUSTOM|{}|must be a JSON object; one of _type cmd, or of none, with an action",
        "CUSTOM|{'action':5}|must be a JSON object; one of _type cmd, or of none, with an action",
        "CUSTOM|[]|must be a JSON object; one of _type cmd, or of none, with an action",
        "CUSTOM|x|must be a JSON object; one of _type cmd, or of none, with an action",
      })
  void refusal_byCommand(
      PhoneCommand.Type type, @Nullable String settings, @Nullable String refusal) {
    assertThat(ownTracks.refusal(command(type, settings))).isEqualTo(refusal);
  }

  private String answer(PhoneCommand... commands) {
    JsonBuffer out = new JsonBuffer();
    ownTracks.answer(List.of(commands), List.of(), out);
    return out.toString();
  }

  private static PhoneCommand command(PhoneCommand.Type type, @Nullable String settings) {
    return new PhoneCommand("c", type, settings == null ? null : json(settings), null);
  }

  private Decoded decoded(String body) {
    return decoded(body, null, null);
  }

  private Decoded decoded(String body, @Nullable String user, @Nullable String device) {
    byte[] bytes = json(body).getBytes(StandardCharsets.UTF_8);
    Upload upload = new Upload(bytes, 0, bytes.length, user, device, Decoded.NOW);
    return Decoded.of(ownTracks, upload, id -> id);
  }

  private String event(String body) {
    return decoded(body).event();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
