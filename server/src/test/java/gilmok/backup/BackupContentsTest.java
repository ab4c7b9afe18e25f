package gilmok.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder is listed while a server writes into it. */
@Tag("unit")
final class BackupContentsTest {
  private static final Path CURSOR = Path.of("cursors", "ship.cursor");

  @Test
  void files_whileOneIsReplaced_areListed(@TempDir Path data) throws Exception {
    Path cursor = data.resolve(CURSOR);
    Path next = cursor.resolveSibling("ship.cursor.tmp");
    Files.createDirectories(cursor.getParent());
    Files.write(cursor, new byte[8]);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread server =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!isOver.get()) {
                      Files.write(next, new byte[8]);
                      Files.move(next, cursor, StandardCopyOption.ATOMIC_MOVE);
                    }
                  } catch (IOException cannot) {
                    throw new UncheckedIOException(cannot);
                  }
                });
    try {
      for (int i = 0; i < 2_000; i++) {
        assertThat(BackupContents.files(data)).containsExactly(CURSOR);
      }
    } finally {
      isOver.set(true);
      server.join();
    }
  }
}
