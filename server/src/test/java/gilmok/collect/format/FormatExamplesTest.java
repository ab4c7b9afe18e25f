package gilmok.collect.format;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.collect.dialect.Decoded;
import gilmok.collect.dialect.Dialect;
import gilmok.collect.geolocation.Geolocation;
import gilmok.collect.osmand.Osmand;
import gilmok.collect.owntracks.OwnTracks;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The examples of {@code docs/formats}, each tried with what such an app sends. */
@Tag("unit")
class FormatExamplesTest {
  @Test
  void each_isSound() throws IOException {
    try (var files = Files.list(Repository.root().resolve("docs/formats"))) {
      List<String> names =
          files.map(file -> file.getFileName().toString().replace(".yaml", "")).sorted().toList();
      assertThat(names).hasSizeGreaterThan(5);
      names.forEach(name -> assertThat(new FormatDecoder(Declared.example(name))).isNotNull());
    }
  }

  @Test
  void agentActions_aListUnderItsAgent() {
    Decoded decoded =
        Declared.decode(
            Declared.example("agent-actions"),
            "{'agentId':'a-17','actions':[{'action':'PICK_UP','time':1785052800,'orderId':'o-1',"
                + "'pos':{'lat':37.5,'lng':127.0},'speed':3},{'action':'SING','time':1785052801}]}");
    assertThat(decoded.events())
        .containsExactly(
            json(
                "{'riderId':'a-17','at':'2026-07-26T08:00:00Z','type':'pickup','lat':37.5,"
                    + "'lon':127,'deliveryId':'o-1','attributes':{'speed':3,'source':'rider-app-4'}}"),
            json(
                "{'riderId':'a-17','at':'2026-07-26T08:00:01Z','type':'SING',"
                    + "'attributes':{'source':'rider-app-4'}}"));
    assertThat(decoded.rejects()).isEmpty();
  }

  @Test
  void agentActions_agentBehindTheList_isReadAgain() {
    assertThat(
            Declared.decode(
                    Declared.example("agent-actions"),
                    "{'actions':[{'action':'ACCEPT','time':1785052800}],'agentId':17}")
                .event())
        .contains("\"riderId\":\"17\"", "\"type\":\"accept\"");
  }

  @Test
  void traccarJson_sameAsTheBuiltInDecoder() {
    String body =
        json(
            "{'location':{'timestamp':'2025-06-15T13:45:12.862Z','coords':{'latitude':37.4219983,"
                + "'longitude':-122.084,'accuracy':5,'speed':1.5,'heading':-1,'altitude':-5.5},"
                + "'battery':{'level':0.4}},'device_id':'48241179'}");
    assertSame(Declared.example("traccar-json"), Map.of(), body, new Geolocation(), body);
  }

  @Test
  void traccarForm_sameAsTheBuiltInDecoder() {
    String body =
        "id=48241179&timestamp=1749995112&lat=37.4219983&lon=-122.084&speed=2.92&bearing=90"
            + "&altitude=12.5&accuracy=5&batt=40";
    assertSame(Declared.example("traccar-form"), Map.of(), body, new Osmand(), body);
  }

  @Test
  void ownTracks_sameAsTheBuiltInDecoder() {
    String body =
        json(
            "{'_type':'location','lat':37.5,'lon':127.1,'tst':1785052800,'acc':12,'alt':40,"
                + "'vel':36,'cog':270,'batt':87,'_id':'a1','topic':'owntracks/u/phone'}");
    assertSame(
        Declared.example("owntracks-location"),
        Map.of("header:X-Limit-U", "u-phone"),
        body,
        new OwnTracks(),
        body);
  }

  /** All members but the attributes, as a declaration names those in its own way. */
  private static void assertSame(
      Format format, Map<String, String> beside, String body, Dialect builtIn, String sent) {
    assertThat(withoutAttributes(Declared.decode(format, beside, body).event()))
        .isEqualTo(withoutAttributes(Decoded.of(builtIn, sent).event()));
  }

  private static JsonNode withoutAttributes(String event) {
    ObjectNode node = (ObjectNode) JsonMapper.shared().readTree(event);
    node.remove("attributes");
    return node;
  }

  @Test
  void geoJson_pointsOfTheRiderInThePath() {
    assertThat(
            Declared.decode(
                    Declared.example("geojson"),
                    Map.of("path:rider", "r-7"),
                    "{'type':'FeatureCollection','features':[{'type':'Feature','geometry':"
                        + "{'type':'Point','coordinates':[127.1,37.5,40]},'properties':"
                        + "{'time':'2026-07-26T08:00:00+09:00','note':'rain','x':1}}]}")
                .event())
        .isEqualTo(
            json(
                "{'riderId':'r-7','at':'2026-07-25T23:00:00Z','lat':37.5,'lon':127.1,"
                    + "'altitude':40,'attributes':{'properties.note':'rain'}}"));
  }

  @Test
  void csv_timesOfTheirZone() {
    Decoded decoded =
        Declared.decode(
            Declared.example("points-csv"),
            "rider,time,lat,lon,kmh\nr-1,2026-07-26 17:00:00,37.5,127,36\n"
                + "r-2,2026-02-30 17:00:00,37.5,127,36\n'r,3',2026-07-26 17:00:01,37.5,127,\n");
    assertThat(decoded.events())
        .containsExactly(
            json("{'riderId':'r-1','at':'2026-07-26T08:00:00Z','lat':37.5,'lon':127,'speed':10}"),
            json("{'riderId':'r,3','at':'2026-07-26T08:00:01Z','lat':37.5,'lon':127}"));
    assertThat(decoded.rejects()).containsExactly("/time: not a time");
    assertThat(decoded.rejected()).containsExactly("r-2,2026-02-30 17:00:00,37.5,127,36");
  }

  @Test
  void lines_aBrokenOneIsRejectedAlone() {
    Decoded decoded =
        Declared.decode(
            Declared.example("app-log"),
            Map.of("header:X-User", "u-2"),
            "{'user':{'id':'u-1'},'ts':1785052800000,'level':'warn','msg':'a'}\n{'ts':1,\n"
                + "{'ts':1785052800000,'msg':'b'}\n");
    assertThat(decoded.events())
        .containsExactly(
            json("{'riderId':'u-1','at':'2026-07-26T08:00:00Z','level':'warn','message':'a'}"),
            json("{'riderId':'u-2','at':'2026-07-26T08:00:00Z','level':'info','message':'b'}"));
    assertThat(decoded.rejects()).containsExactly(": not JSON");
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
