package gilmok.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class SettingsSourcesTest {
  @Test
  void value_threeSources_theLaterWins() {
    Settings settings =
        new Settings(
            new SettingsSources()
                .file(Map.of("a", "file", "b", "file", "c", "file"))
                .environment(Map.of("GILMOK_B", "environment", "GILMOK_C", "environment"))
                .option("c=option")
                .option("d=first")
                .option("d = last = x ")
                .option("e", "own"));

    assertThat(settings.text("a", "")).isEqualTo("file");
    assertThat(settings.text("b", "")).isEqualTo("environment");
    assertThat(settings.text("c", "")).isEqualTo("option");
    assertThat(settings.text("d", "")).isEqualTo("last = x");
    assertThat(settings.text("e", "")).isEqualTo("own");
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @Test
  void file_nested_dashedKeysJoinedByDots() {
    Map<String, Object> log = new LinkedHashMap<>();
    log.put("bytes-max", "3 GiB");
    log.put("segment", Map.of("count", 4, "share", 0.5, "large", 1e9));
    log.put("sync", true);
    log.put("hosts", List.of("one", 2, false));
    Settings settings =
        new Settings(new SettingsSources().file(Map.of("log", log, "http.port", 8080)));

    assertThat(settings.text("log.bytes-max", "")).isEqualTo("3 GiB");
    assertThat(settings.text("log.segment.count", "")).isEqualTo("4");
    assertThat(settings.text("log.segment.share", "")).isEqualTo("0.5");
    assertThat(settings.text("log.segment.large", "")).isEqualTo("1000000000");
    assertThat(settings.flag("log.sync", false)).isTrue();
    assertThat(settings.words("log.hosts")).containsExactly("one", "2", "false");
    assertThat(settings.number("http.port", 1, 1, 65535)).isEqualTo(8080);
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @Test
  void file_wrongShapes_eachNamed() {
    Map<Object, Object> tree = new LinkedHashMap<>();
    tree.put("nothing", null);
    tree.put(7, "x");
    tree.put("deep", List.of(List.of("x")));
    tree.put("maps", List.of(Map.of("x", "y")));
    tree.put("hole", Arrays.asList("x", null));
    tree.put("comma", List.of("x,y"));
    tree.put("date", new Object());
    tree.put("a.b", "1");
    tree.put("a", Map.of("b", "2"));

    assertThat(problems(new SettingsSources().file(tree), "a.b"))
        .containsExactly(
            "nothing: has no value",
            "7: a key must be a text",
            "deep: a list can hold texts and numbers only",
            "maps: a list can hold texts and numbers only",
            "hole: has no value",
            "comma: an element of a list must be one word, without blank or comma",
            "date: cannot be used: a text, a number, true or false is needed",
            "a.b: is given twice");
  }

  @Test
  void environment_dotsAndDashes_bothUnderscores() {
    Settings settings =
        new Settings(new SettingsSources().environment(Map.of("GILMOK_LOG_BYTES_MAX", " 5 ")));

    assertThat(settings.text("log.bytes-max", "")).isEqualTo("5");
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @Test
  void environment_unknownVariable_refusedWithTheNearest() {
    SettingsSources sources =
        new SettingsSources()
            .environment(
                Map.of(
                    "GILMOK_LOG_BYTE_MAX", "1",
                    "GILMOK_ADMIN_KEY", "x",
                    "GILMOK_HOME", "x",
                    "GILMOK_OPTS", "x",
                    "GILMOK_TEST_ANYTHING", "x",
                    "PATH", "x"));

    assertThat(problems(sources, "log.bytes-max"))
        .containsExactly(
            "GILMOK_LOG_BYTE_MAX: no such setting for this variable;"
                + " did you mean GILMOK_LOG_BYTES_MAX?");
  }

  /** A typing error can put a value, and so a secret, where a key belongs. */
  @Test
  void keyThatIsNone_isNotShownWhole() {
    Settings settings =
        new Settings(
            new SettingsSources()
                .file(Map.of("redis", Map.of("url", Map.of("redis://:hush@x", 5))))
                .file(Map.of("track.secret hush", List.of(List.of()))));
    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems())
        .hasSize(2)
        .allMatch(problem -> !problem.contains("hush"))
        .anyMatch(problem -> problem.startsWith("redis.url.redis…: no such setting"));
  }

  /**
   * The variables of a pod beside services named gilmok, gilmok-nodes and gilmok-operate, and one
   * variable that is a setting. {@code GILMOK_OPERATE_PORT} could be a setting by its name; its
   * value shows that it is a link.
   */
  @Test
  void environment_linksOfKubernetes_areToldApart_andWhatLooksLikeThemIsNot() {
    Map<String, String> links =
        Map.ofEntries(
            Map.entry("GILMOK_PORT", "tcp://10.96.0.17:8080"),
            Map.entry("GILMOK_SERVICE_HOST", "10.96.0.17"),
            Map.entry("GILMOK_SERVICE_PORT", "8080"),
            Map.entry("GILMOK_SERVICE_PORT_HTTP", "8080"),
            Map.entry("GILMOK_PORT_8080_TCP", "tcp://10.96.0.17:8080"),
            Map.entry("GILMOK_PORT_8080_TCP_PROTO", "tcp"),
            Map.entry("GILMOK_PORT_8080_TCP_PORT", "8080"),
            Map.entry("GILMOK_PORT_8080_TCP_ADDR", "10.96.0.17"),
            Map.entry("GILMOK_NODES_PORT", "tcp://10.96.0.18:8080"),
            Map.entry("GILMOK_OPERATE_PORT", "tcp://10.96.0.19:9090"),
            Map.entry("GILMOK_NODES_SERVICE_HOST", "10.96.0.18"));
    Settings settings =
        new Settings(
            new SettingsSources().environment(links).environment(Map.of("GILMOK_HTTP_PORT", "1")));
    assertThat(settings.text("http.port", "")).isEqualTo("1");
    assertThat(settings.number("operate.port", 0, 0, 65535)).isZero();
    settings.finish();
    assertThat(settings.links()).containsExactlyInAnyOrderElementsOf(links.keySet());

    SettingsSources slips =
        new SettingsSources()
            .environment(
                Map.of(
                    "GILMOK_PORT", "8080",
                    "GILMOK_SERVICE", "x",
                    "GILMOK_PORT_X_TCP", "x"));
    assertThat(problems(slips, "http.port"))
        .containsExactlyInAnyOrder(
            "GILMOK_PORT: no such setting for this variable",
            "GILMOK_PORT_X_TCP: no such setting for this variable",
            "GILMOK_SERVICE: no such setting for this variable");
  }

  @Test
  void option_withoutKeyOrValue_refused() {
    SettingsSources sources =
        new SettingsSources().option("log.bytes-max").option("=1").option("known=");

    assertThat(problems(sources, "known"))
        .containsExactly(
            "--set: \"log.bytes-max\" is not key=value", "--set: \"=1\" is not key=value");
  }

  private static List<String> problems(SettingsSources sources, String... asked) {
    Settings settings = new Settings(sources);
    for (String key : asked) {
      settings.text(key, "");
    }
    return catchThrowableOfType(InvalidSettings.class, settings::finish).problems();
  }
}
