package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Readiness.Lack;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ReadinessTest {
  private static final Lack STARTING = new Lack("starting", false);

  @Test
  void ready_eachPartSaidSo_thenAndNotBefore() {
    Readiness readiness = new Readiness("log", "http");

    assertThat(readiness.ready()).isFalse();
    assertThat(readiness.missing()).isEqualTo(Map.of("log", STARTING, "http", STARTING));
    readiness.ready("http");
    assertThat(readiness.ready()).isFalse();
    readiness.ready("log");
    assertThat(readiness.ready()).isTrue();
    assertThat(readiness.missing()).isEmpty();
  }

  @Test
  void notReady_aPartFails_saidWithItsReason() {
    Readiness readiness = new Readiness();

    readiness.notReady("log", "closed: no space left");

    assertThat(readiness.ready()).isFalse();
    assertThat(readiness.missing())
        .isEqualTo(Map.of("log", new Lack("closed: no space left", false)));
  }

  @Test
  void lacks_aPartThatIsOptional_namedButReady() {
    Readiness readiness = new Readiness();

    readiness.lacks("redis", "connection refused");
    assertThat(readiness.ready()).isTrue();
    assertThat(readiness.missing())
        .isEqualTo(Map.of("redis", new Lack("connection refused", true)));
    readiness.notReady("log", "closed");
    assertThat(readiness.ready()).isFalse();
    readiness.ready("redis");
    readiness.ready("log");
    assertThat(readiness.missing()).isEmpty();
  }

  @Test
  void condition_isAskedEachTime() {
    Readiness readiness = new Readiness();
    AtomicReference<Lack> lack = new AtomicReference<>();
    readiness.condition("log-room", lack::get);
    assertThat(readiness.ready()).isTrue();
    assertThat(readiness.missing()).isEmpty();
    lack.set(new Lack("full", false));
    assertThat(readiness.ready()).isFalse();
    assertThat(readiness.missing()).isEqualTo(Map.of("log-room", new Lack("full", false)));
    lack.set(new Lack("nearly full", true));
    assertThat(readiness.ready()).isTrue();
    lack.set(null);
    assertThat(readiness.missing()).isEmpty();
  }

  @Test
  void meters_showWhatIsMissing_andThatItIsNoMore() {
    try (Meters meters = new Meters()) {
      Readiness readiness = new Readiness(meters, "server");

      readiness.lacks("redis", "connection refused");
      assertThat(text(meters))
          .contains("gilmok_ready 0.0")
          .contains("gilmok_missing{optional=\"false\",part=\"server\"} 1.0")
          .contains("gilmok_missing{optional=\"true\",part=\"redis\"} 1.0");
      readiness.ready("server");
      readiness.ready("redis");
      readiness.lacks("redis", "gone again");
      assertThat(text(meters))
          .contains("gilmok_ready 1.0")
          .contains("gilmok_missing{optional=\"false\",part=\"server\"} 0.0")
          .contains("gilmok_missing{optional=\"true\",part=\"redis\"} 1.0");
    }
  }

  private static String text(Meters meters) {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }
}
