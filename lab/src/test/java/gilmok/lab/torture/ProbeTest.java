package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ProbeTest {
  @Test
  void await_answeredAtTheThirdTime_isWell() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    Probe probe =
        new Probe(
            "it",
            () -> {
              if (asked.incrementAndGet() == 1) {
                throw new IOException("closed");
              }
              return asked.get() == 2 ? "503" : "";
            });
    assertThat(probe.await(System.nanoTime() + Duration.ofMinutes(1).toNanos())).isEmpty();
    assertThat(asked).hasValue(3);
  }

  @Test
  void await_neverAnswered_saysWhatWasWrong() throws InterruptedException {
    assertThat(new Probe("it", () -> "503").await(System.nanoTime() + 1)).isEqualTo("503");
  }

  @Test
  void await_answeredTooLate_isNoticed() throws InterruptedException {
    assertThat(new Probe("it", () -> "").await(System.nanoTime() - 1)).contains("too late");
  }
}
