package gilmok.lab.story;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What Java's flight recorder saw in a server.
 *
 * @param blocked the class whose monitor threads waited longest to enter, and how long
 * @param collections garbage collections by name and cause, with the longest pause
 */
record StoryRecording(String blocked, String collections) {
  /** Reads a recording; says so if there is none. */
  static StoryRecording read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new StoryRecording("not recorded", "not recorded");
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    return new StoryRecording(blocked(events), collections(events));
  }

  private static String blocked(List<RecordedEvent> events) {
    Map<String, Duration> byClass = new TreeMap<>();
    for (RecordedEvent event : events) {
      if (event.getEventType().getName().equals("jdk.JavaMonitorEnter")) {
        RecordedClass of = event.getClass("monitorClass");
        if (of != null && !of.getName().startsWith("jdk.jfr.")) { // the recorder's own
          byClass.merge(of.getName(), event.getDuration(), Duration::plus);
        }
      }
    }
    return byClass.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(most -> most.getKey() + ", " + seconds(most.getValue()))
        .orElse("nothing");
  }

  private static String collections(List<RecordedEvent> events) {
    Map<String, List<Duration>> pauses =
        events.stream()
            .filter(event -> event.getEventType().getName().equals("jdk.GarbageCollection"))
            .collect(
                Collectors.groupingBy(
                    event ->
                        Objects.requireNonNull(event.getString("name"))
                            + " by "
                            + Objects.requireNonNull(event.getString("cause")),
                    TreeMap::new,
                    Collectors.mapping(
                        event -> event.getDuration("longestPause"), Collectors.toList())));
    return pauses.entrySet().stream()
        .map(
            kind ->
                String.format(
                    Locale.ROOT,
                    "%d %s, longest %.0f ms",
                    kind.getValue().size(),
                    kind.getKey(),
                    kind.getValue().stream().mapToLong(Duration::toNanos).max().orElse(0) / 1e6))
        .collect(Collectors.joining("; "));
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
  }
}
