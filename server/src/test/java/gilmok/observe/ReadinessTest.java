package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  @Test
  void ready_eachPartSaidSo_thenAndNotBefore() {
    Readiness readiness = new Readiness("log", "http");

    assertThat(readiness.ready()).isFalse();
    assertThat(readiness.missing()).isEqualTo(Map.of("log", "starting", "http", "starting"));
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
    assertThat(readiness.missing()).isEqualTo(Map.of("log", "closed: no space left"));
  }
}
