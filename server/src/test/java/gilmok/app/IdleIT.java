package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server of all parts that nobody uses leaves its disk alone. */
@Tag("server")
@Timeout(120)
final class IdleIT {
  private static final long SPAN_NANOS = 5_000_000_000L;
  private static final String COMMITS = "gilmok_documents_commit_seconds_count";

  @TempDir Path folder;

  @Test
  void idle_commitsNothing_writesNoFile_andWorksAtOnceAfterwards() throws Exception {
    Path data = folder.resolve("data");
    try (RunningServer server = RunningServer.start(data, "sinks.enabled=files")) {
      assertQuiet(server, data);
    }
  }

  private static void assertQuiet(RunningServer server, Path data) throws Exception {
    Map<Path, FileTime> before = files(data);
    double commits = server.metric(COMMITS);
    int spans = 0;
    while (true) {
      LockSupport.parkNanos(SPAN_NANOS);
      Map<Path, FileTime> after = files(data);
      double commitsAfter = server.metric(COMMITS);
      if (after.equals(before) && commitsAfter == commits) {
        return;
      }
      assertThat(++spans).as("still written: " + changed(before, after)).isLessThan(6);
      before = after;
      commits = commitsAfter;
    }
  }

  private static Map<Path, FileTime> changed(
      Map<Path, FileTime> before, Map<Path, FileTime> after) {
    Map<Path, FileTime> changed = new TreeMap<>(after);
    changed.entrySet().removeAll(before.entrySet());
    return changed;
  }

  private static Map<Path, FileTime> files(Path data) throws IOException {
    Map<Path, FileTime> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.put(data.relativize(file), Files.getLastModifiedTime(file));
      }
    }
    return all;
  }
}
