package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Counts the throwables that are made, thrown or not: Flight Recorder sees each. */
final class Throwables {
  private static final List<String> COUNTED =
      List.of("jdk.JavaExceptionThrow", "jdk.JavaErrorThrow");

  /** What is done meanwhile. */
  interface Work {
    void run() throws Exception;
  }

  private Throwables() {}

  /**
   * How many are made by this process while something is done, by thread and class; those of the
   * test itself, of its clients and of what it has named {@code partner} are left out.
   */
  static Map<String, Integer> during(Path folder, Work work) throws Exception {
    Map<String, Integer> made = new TreeMap<>();
    try (Recording recording = new Recording()) {
      COUNTED.forEach(event -> recording.enable(event).withStackTrace().withoutThreshold());
      recording.start();
      work.run();
      Throwable[] control = new Throwable[1];
      Thread.ofPlatform()
          .name("control")
          .start(() -> control[0] = new IllegalStateException("counted"))
          .join();
      recording.stop();
      Path file = folder.resolve("throwables.jfr");
      recording.dump(file);
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        made.merge(where(event), 1, Integer::sum);
      }
    }
    assertThat(made.remove("control java.lang.IllegalStateException")).isEqualTo(1);
    made.keySet()
        .removeIf(
            where ->
                where.startsWith("HttpClient-")
                    || where.startsWith("main ")
                    || where.startsWith("partner"));
    return made;
  }

  private static String where(RecordedEvent event) {
    String thread =
        event.getThread() == null ? "?" : String.valueOf(event.getThread().getJavaName());
    RecordedClass thrown = event.getValue("thrownClass");
    return thread + " " + thrown.getName();
  }
}
