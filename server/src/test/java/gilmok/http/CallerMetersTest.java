package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Principal;
import gilmok.observe.Meters;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class CallerMetersTest {
  @Test
  void program_isTheFirstProduct_withoutItsVersion() {
    assertThat(CallerMeters.program("okhttp/4.12.0")).isEqualTo("okhttp");
    assertThat(CallerMeters.program("Rider (Android 14)")).isEqualTo("Rider");
    assertThat(CallerMeters.program("x".repeat(500))).hasSize(40);
    assertThat(CallerMeters.program(null)).isEqualTo("none");
    assertThat(CallerMeters.program("")).isEqualTo("none");
    assertThat(CallerMeters.program("\"},evil{")).isEqualTo("none");
    assertThat(CallerMeters.program("배달/1")).isEqualTo("none");
  }

  @Test
  void callers_overTheBound_shareOne() {
    try (Meters meters = new Meters()) {
      CallerMeters callers = new CallerMeters(meters);
      for (int i = 0; i < 3 * CallerMeters.CALLERS_MAX; i++) {
        callers.of(new Principal("k" + i, "", Set.of(), null), "a").answered(200, 0, 0);
      }
      callers.of(new Principal("k1", "", Set.of(), null), "a").answered(200, 0, 0);
      String shown = new String(meters.scrape(), StandardCharsets.UTF_8);
      assertThat(shown.lines().filter(line -> line.startsWith("gilmok_http_caller_requests_total")))
          .hasSize(CallerMeters.CALLERS_MAX + 1)
          .contains(
              "gilmok_http_caller_requests_total{agent=\"a\",key=\"k1\"} 2.0",
              "gilmok_http_caller_requests_total{agent=\"other\",key=\"other\"} 200.0");
    }
  }
}
