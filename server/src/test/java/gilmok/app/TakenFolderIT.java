package gilmok.app;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose lock is deleted or replaced must stop writing: another may have the folder
 * already.
 */
@Tag("process")
final class TakenFolderIT {
  @TempDir Path data;

  @Test
  void lockDeleted_theServerEnds() throws Exception {
    try (Program server = Program.serve(data)) {
      Files.delete(data.resolve("gilmok.lock"));
      assertEnded(server.end());
    }
  }

  @Test
  void lockReplaced_theServerEnds() throws Exception {
    try (Program server = Program.serve(data)) {
      Path other = Files.writeString(data.resolve("gilmok.other"), "");
      Files.move(other, data.resolve("gilmok.lock"), REPLACE_EXISTING);
      assertEnded(server.end());
    }
  }

  private static void assertEnded(Program.Ended ended) {
    assertThat(ended.code()).as(ended.err()).isEqualTo(1);
    assertThat(ended.err()).contains("gilmok.lock was deleted or replaced");
  }
}
