package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Counts the throwables that this process creates, thrown or not. Flight Recorder sees each of
 * them.
 */
final class Throwables {
  private static final List<String> COUNTED =
      List.of("jdk.JavaExceptionThrow", "jdk.JavaErrorThrow");

  private static final int TIMES = 3;
  private static final int FRAMES = 8;

  /** The work during which throwables are counted. */
  interface Work {
    void run() throws Exception;
  }

  private Throwables() {}

  /**
   * Counts the throwables that this process creates during the work, by thread, class and place.
   * Those of the test itself, of its clients and of threads that it named {@code partner} are left
   * out. The work is done up to three times, until there are none: linking code creates some when
   * it first runs, whenever that is, while those of the work itself come each time.
   *
   * @param folder for the recording
   * @param allowed accepts the keys of throwables that may be created
   */
  static Map<String, Integer> during(Path folder, Predicate<String> allowed, Work work)
      throws Exception {
    Map<String, Integer> made = once(folder, work);
    for (int i = 1; i < TIMES && !allowed(made, allowed); i++) {
      made = once(folder, work);
    }
    made.keySet().removeIf(allowed);
    return made;
  }

  private static boolean allowed(Map<String, Integer> made, Predicate<String> allowed) {
    return made.keySet().stream().allMatch(allowed);
  }

  private static Map<String, Integer> once(Path folder, Work work) throws Exception {
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
    assertThat(made.keySet().removeIf(where -> where.startsWith("control "))).isTrue();
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
    return thread + " " + thrown.getName() + " at " + place(event);
  }

  /** The frames that created it, the innermost first. */
  private static String place(RecordedEvent event) {
    if (event.getStackTrace() == null) {
      return "?";
    }
    return event.getStackTrace().getFrames().stream()
        .map(frame -> frame.getMethod().getType().getName() + "." + frame.getMethod().getName())
        .filter(name -> !name.endsWith(".<init>") && !name.endsWith(".newInstance"))
        .limit(FRAMES)
        .collect(Collectors.joining(" < "));
  }
}
