package gilmok.observe.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
@Timeout(60)
final class ProcessorPartsTest {
  @TempDir Path process;
  private final ProcessorParts parts =
      new ProcessorParts(Path.of("/nowhere"), name -> name.equals("follow-deliveri"));

  /** A line of the kernel. */
  static String line(String name, long majorFaults, long user, long system, long began) {
    return "4711 (%s) S 1 2 3 4 5 6 7 8 %d 9 %d %d 0 0 20 0 1 0 %d 0 0\n"
        .formatted(name, majorFaults, user, system, began);
  }

  private ProcessorParts parts() {
    return new ProcessorParts(process, name -> name.equals("follow-deliveri"));
  }

  private void thread(int id, String name, long ticks, long began) throws IOException {
    Path folder = Files.createDirectories(process.resolve("task/" + id));
    Files.writeString(folder.resolve("stat"), line(name, 0, ticks, 0, began));
  }

  private void whole(long ticks) throws IOException {
    Files.writeString(process.resolve("stat"), line("java", 0, ticks, 0, 1));
  }

  private void ends(int id) throws IOException {
    Files.delete(process.resolve("task/" + id + "/stat"));
    Files.delete(process.resolve("task/" + id));
  }

  @Test
  void seconds_everyThread_inItsPart() throws IOException {
    String[] names = {
      "vert.x-eventloo",
      "ForkJoinPool-1-",
      "log-writer",
      "sink-files-deli",
      "follow-deliveri",
      "documents-write",
      "GC Thread#1",
      "C2 CompilerThre",
      "strange) (one"
    };
    for (int i = 0; i < names.length; i++) {
      thread(i, names[i], 100 << i, 1);
    }
    thread(100, "G1 Conc#0", 100, 1);
    whole(100_000);

    assertThat(parts().seconds())
        .isEqualTo(
            Map.of(
                "event-loops", 1.0,
                "virtual-threads", 2.0,
                "log", 4.0,
                "sinks", 8.0,
                "loops", 16.0,
                "documents", 32.0,
                "gc", 65.0,
                "compiler", 128.0,
                "other", 744.0));
  }

  @Test
  void seconds_threadsThatEnd_keepNothingBack() throws IOException {
    ProcessorParts parts = parts();
    thread(1, "sink-files", 500, 1);
    thread(2, "log-writer", 300, 1);
    whole(800);
    assertThat(parts.seconds()).containsEntry("sinks", 5.0).containsEntry("other", 0.0);

    ends(1);
    whole(1000); // it had used some more before its end
    assertThat(parts.seconds()).containsEntry("sinks", 5.0).containsEntry("other", 2.0);

    thread(1, "sink-files", 40, 9); // another one of the same number
    whole(1040);
    assertThat(parts.seconds())
        .containsEntry("sinks", 5.4)
        .containsEntry("log", 3.0)
        .containsEntry("other", 2.0);
  }

  @Test
  void seconds_threadThatCannotBeReadOnce_isNotCountedTwice() throws IOException {
    ProcessorParts parts = parts();
    thread(1, "sink-files", 500, 1);
    whole(500);
    assertThat(parts.seconds()).containsEntry("sinks", 5.0);

    Files.delete(process.resolve("task/1/stat"));
    assertThat(parts.seconds()).containsEntry("sinks", 5.0);

    thread(1, "sink-files", 700, 1);
    whole(690); // read a moment apart: less than its threads together
    assertThat(parts.seconds()).containsEntry("sinks", 7.0).containsEntry("other", 0.0);
  }

  @Test
  void seconds_moreThreadsThanTheBound_asOther() throws IOException {
    for (int i = 0; i < ProcessorParts.THREADS_MAX + 10; i++) {
      thread(i, "sink-files", 1, 1);
    }
    whole(ProcessorParts.THREADS_MAX + 10);

    ProcessorParts parts = parts();
    for (int look = 0; look < 2; look++) {
      assertThat(parts.seconds()).containsEntry("sinks", 40.96).containsEntry("other", 0.1);
    }
  }

  @Test
  void seconds_noSuchFolder_nothing() {
    assertThat(parts.seconds().values()).hasSize(9).containsOnly(0.0);
  }

  @Test
  void seconds_aThreadThatBurnsProcessor_raisesItsPart() throws Exception {
    Path self = Path.of("/proc/self");
    Assumptions.assumeThat(self.resolve("task")).isDirectory();
    ProcessorParts real = new ProcessorParts(self, _ -> false);
    double before = real.seconds().getOrDefault("sinks", -1.0);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread burner =
        Thread.ofPlatform()
            .name("sink-burner-of-a-test")
            .start(
                () -> {
                  while (!isOver.get()) {
                    Thread.onSpinWait();
                  }
                });
    while (real.seconds().getOrDefault("sinks", -1.0) < before + 0.1) {
      Thread.onSpinWait();
    }
    isOver.set(true);
    burner.join();
    double after = real.seconds().getOrDefault("sinks", -1.0);
    assertThat(after).isGreaterThanOrEqualTo(before + 0.1);
    assertThat(real.seconds().getOrDefault("sinks", -1.0)).isGreaterThanOrEqualTo(after);
  }
}
