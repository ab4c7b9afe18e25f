package gilmok.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A data folder that was open to others is closed, and what they may have put there is named. */
@Tag("unit")
@ResourceLock("java.util.logging")
final class OwnerOnlyTest {
  private static final Logger LOGGER = Logger.getLogger(OwnerOnly.class.getName());

  @TempDir Path temporary;
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getLevel().equals(Level.WARNING)) {
            warnings.add(line.getMessage() + Arrays.toString(line.getParameters()));
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void hear() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void leave() {
    LOGGER.removeHandler(handler);
  }

  private static String mode(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void close_openFolder_itsContentsToo_andLinksAreNamedAndNotFollowed() throws Exception {
    Path data = Files.createDirectory(temporary.resolve("data"));
    Path own = Files.writeString(data.resolve("own"), "own");
    Path inner = Files.createDirectory(data.resolve("inner"));
    Path outside = Files.writeString(temporary.resolve("outside"), "outside");
    Path twin = Files.writeString(temporary.resolve("twin"), "twin");
    for (Path file : List.of(own, outside, twin)) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    }
    for (Path folder : List.of(inner, data)) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    Files.createSymbolicLink(data.resolve("link"), outside);
    Files.createLink(data.resolve("planted"), twin);

    OwnerOnly.close(data);

    assertThat(List.of(mode(data), mode(inner), mode(own)))
        .containsExactly("rwx------", "rwx------", "rw-------");
    assertThat(mode(outside)).as("a link is not followed").isEqualTo("rw-rw-rw-");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst()).contains("link", "planted").doesNotContain("inner");
  }

  @Test
  void close_closedFolder_saysNothing() throws Exception {
    Path data = Files.createDirectory(temporary.resolve("data"), OwnerOnly.FOLDER);
    Files.createSymbolicLink(data.resolve("link"), temporary.resolve("elsewhere"));

    OwnerOnly.close(data);

    assertThat(warnings).isEmpty();
  }
}
