package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.observe.Meters;
import gilmok.sinks.Verdict;
import gilmok.storage.DiskFullException;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which published files are kept, and that nothing else is ever deleted. */
@Tag("unit")
class FileRetentionTest {
  private static final NodeId OTHER = new NodeId(7);
  private static final long DAY = 86_400_000;

  @TempDir Path folder;

  /** Ships a file and sets its time by the test's clock. */
  private static String ship(FilesRig rig, FilesSink sink, long first) throws Exception {
    FilesRig.ship(sink, rig.positions(first, first));
    Path path = null;
    for (String file : rig.files()) {
      path = file.contains("%020d-".formatted(first)) ? rig.folder.resolve(file) : path;
    }
    if (path == null) {
      throw new AssertionError("no file of " + first);
    }
    Files.setLastModifiedTime(path, FileTime.fromMillis(rig.nowMillis));
    return rig.folder.relativize(path).toString();
  }

  @Test
  void nothingSaid_everythingIsKept() throws Exception {
    FilesRig rig = new FilesRig(folder, "ndjson");
    try (FilesSink sink = rig.sink()) {
      ship(rig, sink, 1);
      rig.nowMillis += 1000 * DAY;
      ship(rig, sink, 2);
      assertThat(rig.files()).hasSize(2);
    }
  }

  @Test
  void older_areDeletedWithTheirFolders_andCounted() throws Exception {
    FilesRig rig = new FilesRig(folder, "ndjson").set("retention", "2 d");
    try (Meters meters = new Meters();
        FilesSink sink = rig.sink(Records.NODE, new FileDisk(), meters)) {
      String first = ship(rig, sink, 1);
      rig.nowMillis += DAY;
      String second = ship(rig, sink, 2);
      rig.nowMillis += DAY + 1;
      String third = ship(rig, sink, 3);

      assertThat(rig.files()).containsExactly(second, third);
      assertThat(folder.resolve(first).resolveSibling("").resolveSibling("")).doesNotExist();
      assertThat(new String(meters.scrape(), StandardCharsets.UTF_8))
          .containsPattern("gilmok_files_deleted_total\\{[^}]*} 1")
          .containsPattern("gilmok_files_deleted_bytes_total\\{[^}]*} [1-9]");
    }
  }

  @Test
  void moreBytes_theOldestGo_theNewestStays() throws Exception {
    FilesRig rig = new FilesRig(folder, "ndjson").set("retention-bytes-max", "1");
    try (FilesSink sink = rig.sink()) {
      ship(rig, sink, 1);
      rig.nowMillis += 120_000;
      ship(rig, sink, 2);
      rig.nowMillis += 120_000;
      String third = ship(rig, sink, 3);
      assertThat(rig.files()).containsExactly(third);
    }
  }

  @Test
  void foreignAndUnfinishedFiles_areNeverTouched() throws Exception {
    FilesRig rig = new FilesRig(folder, "ndjson").set("retention", "1 h");
    FilesSink another = rig.sink(OTHER, new FileDisk());
    FilesRig.ship(another, rig.positions(OTHER, 1, 2));
    another.send(rig.positions(OTHER, 3, 4));
    try (FilesSink sink = rig.sink()) {
      String mine = ship(rig, sink, 1);
      Path hour = folder.resolve(mine).resolveSibling("");
      Files.writeString(hour.resolve("notes.txt"), "somebody's");
      Files.writeString(hour.resolve("copy-of-" + folder.resolve(mine).getFileName()), "a copy");
      Files.createSymbolicLink(
          hour.resolve(mine.substring(mine.lastIndexOf('/') + 1).replace("1-", "9-")),
          hour.resolve("notes.txt"));
      List<String> before = rig.files();
      for (String file : before) {
        Files.setLastModifiedTime(folder.resolve(file), FileTime.fromMillis(0));
      }
      rig.nowMillis += DAY;
      ship(rig, sink, 2);

      List<String> after = rig.files();
      assertThat(after).doesNotContain(mine).hasSize(before.size());
      assertThat(after).containsAll(before.stream().filter(file -> !file.equals(mine)).toList());
    }
    another.close();
  }

  @Test
  void cannotBeDeleted_shippingGoesOn_andItIsTriedAgain() throws Exception {
    FaultyDisk disk = new FaultyDisk(new FileDisk());
    FilesRig rig = new FilesRig(folder, "ndjson").set("retention", "1 h");
    try (FilesSink sink = rig.sink(Records.NODE, disk)) {
      String first = ship(rig, sink, 1);
      disk.set(
          (operation, path) -> {
            if (operation == Operation.DELETE && path.equals(folder.resolve(first))) {
              throw new IOException("busy");
            }
          });
      rig.nowMillis += DAY;
      ship(rig, sink, 2);
      assertThat(rig.files()).hasSize(2);
      disk.set(FaultyDisk.NONE);
      rig.nowMillis += 120_000;
      ship(rig, sink, 3);
      assertThat(rig.files()).hasSize(2).doesNotContain(first);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "RENAME"})
  void diskIsFull_whatMayGoMakesRoom(Operation failing) throws Exception {
    FaultyDisk disk = new FaultyDisk(new FileDisk());
    FilesRig rig = new FilesRig(folder, "ndjson").set("retention", "1 h");
    try (FilesSink sink = rig.sink(Records.NODE, disk)) {
      String first = ship(rig, sink, 1);
      rig.nowMillis += 120_000;
      String second = ship(rig, sink, 2);
      disk.set(
          (operation, path) -> {
            if (operation == failing && Files.exists(folder.resolve(first))) {
              throw new DiskFullException(new IOException("No space left on device"));
            }
          });
      rig.nowMillis += DAY;
      sink.send(rig.positions(3, 3));
      assertThat(sink.release(true)).isInstanceOf(Verdict.Retry.class);
      assertThat(rig.files()).as("the newest stays").containsExactly(second);

      sink.discard();
      String third = ship(rig, sink, 3);
      assertThat(rig.files()).containsExactly(second, third);
    }
  }

  @Test
  void diskFailsOtherwise_nothingIsDeleted() throws Exception {
    FaultyDisk disk = new FaultyDisk(new FileDisk());
    FilesRig rig = new FilesRig(folder, "ndjson").set("retention", "1 h");
    try (FilesSink sink = rig.sink(Records.NODE, disk)) {
      ship(rig, sink, 1);
      rig.nowMillis += 120_000;
      ship(rig, sink, 2);
      disk.set(
          (operation, path) -> {
            if (operation == Operation.WRITE) {
              throw new IOException("Input/output error");
            }
          });
      rig.nowMillis += DAY;
      sink.send(rig.positions(3, 3));
      assertThat(sink.release(true)).isInstanceOf(Verdict.Retry.class);
      assertThat(rig.files()).hasSize(2);
    }
  }
}
