package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class FrameworkTest {
  private static final String EVENTS = "io.netty.jfr.enabled";

  @Test
  void lighten_keepsWhatWasGivenAndSaysTheRest() {
    Properties before = System.getProperties();
    try {
      Properties given = new Properties();
      given.setProperty(EVENTS, "true");
      System.setProperties(given);
      Framework.lighten();
      assertThat(System.getProperty(EVENTS)).isEqualTo("true");
      assertThat(System.getProperty("io.netty.machineId")).matches("([0-9a-f]{2}:){7}[0-9a-f]{2}");

      System.setProperties(new Properties());
      Framework.lighten();
      assertThat(System.getProperty(EVENTS)).isEqualTo("false");
      assertThat(List.of("Websockets", "ContextTimings", "Metrics"))
          .allSatisfy(
              unused -> assertThat(System.getProperty("vertx.disable" + unused)).isEqualTo("true"));
    } finally {
      System.setProperties(before);
    }
  }
}
