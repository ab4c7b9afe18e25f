package gilmok.phones;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import gilmok.phones.PhoneApp.KeyPlace;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("unit")
class GuideTest {
  private static final String KEY = "gk_abcdefghijkl_" + "s".repeat(52);
  private static final PhoneSetup SETUP =
      new PhoneSetup("https://fleet.example.com/", "rider 7/김", KEY);

  @ParameterizedTest
  @EnumSource
  void guide_everyApp_namesUrlAndKeyWhereTheAppPutsIt(PhoneApp app) {
    Guide guide = Guides.of(app, SETUP);
    assertThat(guide.url()).startsWith("https://fleet.example.com/");
    assertThat(guide.url().contains(KEY)).isEqualTo(app.keyPlace() == KeyPlace.URL);
    assertThat(guide.settings()).extracting(Guide.Setting::value).contains(guide.url());
    assertThat(guide.settings()).anyMatch(setting -> setting.value().contains(KEY));
    assertThat(guide.settings().toString())
        .containsAnyOf("rider 7/김", "rider%207%2F%EA%B9%80", guide.device().replace("-phone", ""));
    assertThat(guide.menu()).isNotBlank();
    assertThat(PhoneApp.of(app.label())).contains(app);
    assertThat(PhoneApp.labels()).contains(app.label());
    assertThat(app.platforms()).isNotEmpty().isSubsetOf("Android", "iOS");
  }

  @Test
  void owntracks_link_holdsAConfigurationForHttp() {
    JsonNode configuration = inline(PhoneApp.OWNTRACKS, "owntracks:///config", "inline");
    assertThat(configuration.path("_type").asString()).isEqualTo("configuration");
    assertThat(configuration.path("mode").asInt()).isEqualTo(3);
    assertThat(configuration.path("url").asString()).isEqualTo("https://fleet.example.com/pub");
    assertThat(configuration.path("username").asString()).matches("rider-7--[0-9a-f]{12}");
    assertThat(configuration.path("password").asString()).isEqualTo(KEY);
    assertThat(configuration.path("tid").asString()).isEqualTo("r7");
  }

  @Test
  void device_isTheRider_butInOwntracks() {
    PhoneSetup plain = new PhoneSetup("https://fleet.example.com", "rider-7", KEY);
    for (PhoneApp app : PhoneApp.values()) {
      assertThat(Guides.of(app, plain).device())
          .isEqualTo(app == PhoneApp.OWNTRACKS ? "rider-7-phone" : "rider-7");
    }
  }

  @Test
  void owntracks_user_isWhatAHeaderHolds_andNoTwoRidersAreOne() {
    assertThat(List.of("김", "이", "r:7", "r/7", "R-7", "r-7", "r 7"))
        .extracting(rider -> new PhoneSetup("https://fleet.example.com", rider, KEY))
        .extracting(setup -> Guides.of(PhoneApp.OWNTRACKS, setup).device())
        .allMatch(device -> device.matches("[a-z0-9._-]+-phone"))
        .doesNotHaveDuplicates();
  }

  @Test
  void colota_link_holdsTheOverlandTemplate() {
    JsonNode config = inline(PhoneApp.COLOTA, "colota://setup", "config");
    assertThat(config.path("endpoint").asString()).isEqualTo("https://fleet.example.com/overland");
    assertThat(config.path("apiTemplate").asString()).isEqualTo("overland");
    assertThat(config.path("auth").path("bearerToken").asString()).isEqualTo(KEY);
    assertThat(config.path("customFields").path(0).path("value").asString()).isEqualTo("rider 7/김");
    assertThat(config.path("syncInterval").asInt()).isPositive();
  }

  @Test
  void traccar_link_isTheAppsOwnAndKeepsTheKey() {
    String link = link(PhoneApp.TRACCAR);
    assertThat(link).startsWith("org.traccar.client://config?");
    assertThat(parameters(link))
        .containsEntry("url", "https://fleet.example.com/osmand?key=" + KEY)
        .containsEntry("id", "rider 7/김");
  }

  @Test
  void overland_link_namesUrlTokenAndDevice() {
    String link = link(PhoneApp.OVERLAND);
    assertThat(link).startsWith("overland://setup?");
    assertThat(parameters(link))
        .containsEntry("url", "https://fleet.example.com/overland")
        .containsEntry("token", KEY)
        .containsEntry("device_id", "rider 7/김");
  }

  @Test
  void appsThatKeepOnlyAUrl_takeItFromTheCode() {
    assertThat(Guides.of(PhoneApp.GPSLOGGER, SETUP).code())
        .isEqualTo(
            "https://fleet.example.com/gpslogger?key=" + KEY + "&id=rider%207%2F%EA%B9%80&%ALL");
    assertThat(Guides.of(PhoneApp.OSMAND, SETUP).code())
        .contains("&lat={0}&lon={1}")
        .doesNotContain("speed");
  }

  @ParameterizedTest
  @MethodSource("faults")
  void fault_namesFieldAndReason(
      String url, String rider, String key, String field, String reason) {
    PhoneSetup.Fault fault = Objects.requireNonNull(PhoneSetup.fault(url, rider, key));
    assertThat(fault.field()).isEqualTo(field);
    assertThat(fault.reason()).contains(reason);
  }

  static Stream<Arguments> faults() {
    String url = "https://fleet.example.com";
    return Stream.of(
        arguments("fleet.example.com", "r", KEY, "url", "is no URL"),
        arguments("ftp://fleet.example.com", "r", KEY, "url", "is no URL"),
        arguments("https://", "r", KEY, "url", "is no URL"),
        arguments("https://fleet example", "r", KEY, "url", "is no URL"),
        arguments("https://배달.example", "r", KEY, "url", "is no URL"),
        arguments("https://a:b@fleet.example.com", "r", KEY, "url", "no user, query or fragment"),
        arguments("https://fleet.example.com/?a=1", "r", KEY, "url", "no user, query or fragment"),
        arguments("https://fleet.example.com/#a", "r", KEY, "url", "no user, query or fragment"),
        arguments(url + "/" + "a".repeat(256), "r", KEY, "url", "at most 256"),
        arguments(url, "", KEY, "riderId", "1 to 128"),
        arguments(url, "a\nb", KEY, "riderId", "no control characters"),
        arguments(url, "\ud800", KEY, "riderId", "no control characters"),
        arguments(url, "r".repeat(129), KEY, "riderId", "1 to 128"),
        arguments(url, "r", "short", "key", "16 to 128"),
        arguments(url, "r", "with a space in it", "key", "visible ASCII"),
        arguments(url, "r", "k".repeat(129), "key", "16 to 128"));
  }

  @Test
  void fault_ofWhatIsRight_isNone() {
    assertThat(PhoneSetup.fault("https://fleet.example.com", "rider-7", KEY)).isNull();
    assertThat(PhoneSetup.fault("http://10.0.0.7:8080/gilmok/", "김", KEY)).isNull();
    assertThat(new PhoneSetup("http://10.0.0.7:8080/gilmok/", "김", KEY).url())
        .isEqualTo("http://10.0.0.7:8080/gilmok");
    assertThat(SETUP.toString()).doesNotContain(KEY);
  }

  private static String link(PhoneApp app) {
    String link = Objects.requireNonNull(Guides.of(app, SETUP).link());
    assertThat(URI.create(link).getScheme()).isNotBlank();
    return link;
  }

  private static JsonNode inline(PhoneApp app, String start, String parameter) {
    String link = link(app);
    assertThat(link).startsWith(start + "?");
    String base64 = Objects.requireNonNull(parameters(link).get(parameter));
    return JsonMapper.shared()
        .readTree(new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
  }

  private static Map<String, String> parameters(String link) {
    Map<String, String> parameters = new LinkedHashMap<>();
    Arrays.stream(link.substring(link.indexOf('?') + 1).split("&", -1))
        .map(one -> one.split("=", 2))
        .forEach(one -> parameters.put(one[0], URLDecoder.decode(one[1], StandardCharsets.UTF_8)));
    return parameters;
  }
}
