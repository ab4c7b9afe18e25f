package gilmok.ops;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.JsonBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The ring of samples. */
@Tag("unit")
final class MetricsHistoryTest {
  private final MetricsHistory history = new MetricsHistory();

  @Test
  void samples_keepTheLastHour_theOldestGoes() {
    for (int i = 1; i <= MetricsHistory.SAMPLES_MAX + 5; i++) {
      sample(i * 5_000L, "a", i);
    }
    JsonNode all = since(0);
    assertThat(all.path("times").size()).isEqualTo(MetricsHistory.SAMPLES_MAX);
    assertThat(all.path("times").get(0).asLong()).isEqualTo(6 * 5_000L);
    assertThat(all.at("/lines/a").size()).isEqualTo(MetricsHistory.SAMPLES_MAX);
    assertThat(all.at("/lines/a/0").asDouble()).isEqualTo(6);
    assertThat(all.at("/lines/a/719").asDouble()).isEqualTo(725);
  }

  @Test
  void since_givesWhatIsNewer() {
    for (int i = 1; i <= 9; i++) {
      sample(i, "a", i);
    }
    assertThat(since(7).toString()).isEqualTo("{\"times\":[8,9],\"lines\":{\"a\":[8,9]}}");
    assertThat(since(9).toString()).isEqualTo("{\"times\":[],\"lines\":{\"a\":[]}}");
    assertThat(since(Long.MAX_VALUE).path("times").size()).isZero();
  }

  @Test
  void whatWasNotPut_isNull_beforeAndAfter() {
    sample(1, "a", 1);
    sample(2, "b", 2);
    sample(3, "a", Double.NaN);
    assertThat(since(0).path("lines").toString())
        .isEqualTo("{\"a\":[1,null,null],\"b\":[null,2,null]}");
  }

  @Test
  void lines_areBounded() {
    history.begin();
    for (int i = 0; i < MetricsHistory.LINES_MAX + 10; i++) {
      history.put("line" + i, i);
    }
    history.end(1);
    assertThat(since(0).path("lines").size()).isEqualTo(MetricsHistory.LINES_MAX);
  }

  @Test
  void numbers_haveFourDigits() {
    double[] values = {0, 1.0 / 3, 123_456.789, -0.000_123_456, 1e-12, 98_765_432_101.0, 42};
    history.begin();
    for (int i = 0; i < values.length; i++) {
      history.put("n" + i, values[i]);
    }
    history.end(1);
    assertThat(text(0))
        .endsWith(
            "\"lines\":{\"n0\":[0],\"n1\":[0.3333],\"n2\":[123457],\"n3\":[-0.0001235],"
                + "\"n4\":[0],\"n5\":[98765430784],\"n6\":[42]}}");
  }

  private void sample(long millis, String line, double value) {
    history.begin();
    history.put(line, value);
    history.end(millis);
  }

  private JsonNode since(long millis) {
    return JsonMapper.shared().readTree(text(millis));
  }

  private String text(long millis) {
    JsonBuffer out = new JsonBuffer();
    history.write(millis, out.put('{'));
    return out.put('}').toString();
  }
}
