package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class PreferencesTest {
  @ParameterizedTest
  @CsvSource({
    "server-timing, true",
    "Server-Timing, true",
    "'respond-async, server-timing', true",
    "'server-timing ; x=y , wait=10', true",
    "'respond-async', false",
    "'wait=server-timing', false",
    "'x; server-timing', false",
    "'', false",
    "'server-timings', false"
  })
  void preference_isFoundAsRfc7240HasIt(String header, boolean isThere) {
    MultiMap headers = HttpHeaders.headers().add("Prefer", header);
    assertThat(Preferences.hasTiming(headers)).isEqualTo(isThere);
  }

  @Test
  void preference_mayBeInALaterLine_orInNone() {
    MultiMap headers = HttpHeaders.headers();
    assertThat(Preferences.hasTiming(headers)).isFalse();
    headers.add("Prefer", "respond-async").add("Prefer", "server-timing");
    assertThat(Preferences.hasTiming(headers)).isTrue();
  }
}
