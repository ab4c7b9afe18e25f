package gilmok.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class SubjectTest {
  @TempDir private Path folder;

  @Test
  void awaitAnswer_processEnds_saysWhatItPrinted() throws Exception {
    try (Subject subject = start("echo no such setting; exit 7")) {
      assertThatThrownBy(() -> subject.awaitAnswer("/", s -> true, Duration.ofSeconds(30)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("ended with 7")
          .hasMessageContaining("no such setting");
    }
  }

  @Test
  void stop_processHeedsTheSignal_givesItsStatus() throws Exception {
    try (Subject subject = start("trap 'exit 3' TERM; echo up; while :; do sleep 0.05; done")) {
      awaitOutput(subject);
      assertThat(subject.residentBytesMax()).isPositive();
      assertThat(subject.stop()).isEqualTo(3);
      assertThat(subject.alive()).isFalse();
    }
  }

  @Test
  void kill_processIgnoresSignals_isGone() throws Exception {
    try (Subject subject = start("trap '' TERM; echo up; while :; do sleep 0.05; done")) {
      awaitOutput(subject);
      subject.kill();
      assertThat(subject.alive()).isFalse();
    }
  }

  private Subject start(String script) throws IOException {
    return Subject.start(
        "script", List.of("sh", "-c", script), Map.of(), 1, folder.resolve("output"));
  }

  private static void awaitOutput(Subject subject) throws IOException {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!subject.lastOutput().contains("up") && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(subject.lastOutput()).contains("up");
  }
}
