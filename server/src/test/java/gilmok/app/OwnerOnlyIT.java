package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that a server writes is for the user it runs as alone, whatever the umask is. */
@Tag("process")
final class OwnerOnlyIT {
  @TempDir Path temporary;

  @Test
  void everyFileAndFolder_isItsOwnersAlone_alsoInAFolderThatWasOpen() throws Exception {
    Path data = Files.createDirectory(temporary.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path shipped = temporary.resolve("elsewhere");
    try (RunningServer server =
        RunningServer.start(
            data,
            "sinks.enabled=files",
            "sinks.files.folder=" + shipped,
            "sinks.files.file-age-max=10ms",
            "log.snapshot-interval=1s")) {
      for (int i = 0; i < 20; i++) {
        assertThat(
                server
                    .post(
                        "/v1/traces",
                        "[{\"riderId\":\"r\",\"at\":%d,\"lat\":1,\"lon\":1},{\"riderId\":\"r\"}]"
                            .formatted(1000 + i))
                    .status())
            .isEqualTo(202);
      }
      server.awaitSeen();
      Program.await(() -> files(shipped).stream().anyMatch(Files::isRegularFile));
      assertOwnerOnly(data, shipped);
    }
    assertOwnerOnly(data, shipped);
    assertThat(files(data).stream().map(file -> file.getFileName().toString()))
        .contains(
            "admin.key",
            "session.secret",
            "track.secret",
            "pseudonym.secret",
            "repeats.secret",
            "documents.db");
  }

  private static List<Path> files(Path root) throws Exception {
    try (Stream<Path> all = Files.exists(root) ? Files.walk(root) : Stream.empty()) {
      return all.toList();
    }
  }

  private static void assertOwnerOnly(Path... roots) throws Exception {
    for (Path root : roots) {
      for (Path file : files(root)) {
        if (!Files.exists(file)) {
          continue; // it was renamed or deleted meanwhile
        }
        String wanted =
            Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) ? "rwx------" : "rw-------";
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as(file.toString())
            .isEqualTo(wanted);
      }
    }
  }
}
