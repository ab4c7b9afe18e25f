package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.ErasedRiders;
import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Archives of old documents whose riders are erased: the rows stay, under the pseudonym. */
@Tag("unit")
final class ArchiveErasureTest {
  private static final String GONE = "rider-gone";
  private static final String KEPT = "rider-kept";
  private static final ErasedRiders ERASED = id -> id.equals(GONE) ? "p-pseudonym" : null;
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);
  private static final List<ArchiveColumn> COLUMNS =
      List.of(
          new ArchiveColumn("id", ArchiveColumn.Kind.TEXT, true),
          new ArchiveColumn("rider_id", ArchiveColumn.Kind.TEXT, false),
          new ArchiveColumn("record", ArchiveColumn.Kind.TEXT, true));

  @TempDir Path archive;
  private final ReentrantLock lock = new ReentrantLock();

  private ArchiveFolder folder(Disk disk) {
    return new ArchiveFolder(archive, new NodeId(7), disk, CLOCK, lock);
  }

  private void write(Disk disk, String kind, String name, String... riders) throws Exception {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (String rider : riders) {
      String record =
          "{\"id\":\"d\",\"riderId\":\"%s\",\"events\":[{\"by\":\"rider:%s\"}]}"
              .formatted(rider, rider);
      rows.add(Arrays.asList("d-" + rows.size(), rider, record));
    }
    folder(disk).write(kind, name, COLUMNS, () -> rows.isEmpty() ? null : rows.removeFirst());
  }

  private FilesErasure.Result erase(Disk disk) throws Exception {
    return new ArchiveErasure(folder(disk)).erase(ERASED, (_, _) -> {});
  }

  /** Each file has a line in its manifest, which has its size and its sum. */
  private void checkManifests(int files) throws Exception {
    int found = 0;
    try (var kinds = Files.list(archive)) {
      for (Path kind : kinds.toList()) {
        for (String line : Files.readAllLines(kind.resolve(ArchiveFolder.MANIFEST))) {
          JsonNode noted = JsonMapper.shared().readTree(line);
          byte[] bytes = Files.readAllBytes(kind.resolve(noted.path("file").asString()));
          assertThat(noted.path("bytes").asInt()).isEqualTo(bytes.length);
          byte[] sum = MessageDigest.getInstance("SHA-256").digest(bytes);
          assertThat(noted.path("sha256").asString()).isEqualTo(HexFormat.of().formatHex(sum));
          assertThat(noted.path("rows").asInt()).isEqualTo(2);
          found++;
        }
      }
    }
    assertThat(found).isEqualTo(files);
  }

  private void fill(Disk disk) throws Exception {
    write(disk, "deliveries", "a", GONE, KEPT);
    write(disk, "deliveries", "b", KEPT, KEPT);
    write(disk, "missions", "c", GONE, GONE);
  }

  @Test
  void erase_rowsStayUnderThePseudonym_andManifestsSaySo() throws Exception {
    Disk disk = new FileDisk();
    fill(disk);
    assertThat(ShippedBytes.of(archive)).contains(GONE);
    FilesErasure.Result result = erase(disk);
    assertThat(result.files()).isEqualTo(2);
    assertThat(result.replaced()).isEqualTo(3);
    assertThat(result.erased()).isZero();
    assertThat(ShippedBytes.of(archive))
        .doesNotContain(GONE)
        .contains(KEPT, "\"riderId\":\"p-pseudonym\"", "\"by\":\"rider:p-pseudonym\"");
    checkManifests(3);
    assertThat(erase(disk).files()).as("once more").isZero();
  }

  @Test
  void erase_diskFailsAtAnyChange_isDoneByTheNextCall() throws Exception {
    fill(new FileDisk());
    boolean hasFailed = true;
    int at = 0;
    for (; hasFailed; at++) {
      FaultyDisk disk = new FaultyDisk(new FileDisk());
      int[] left = {at};
      disk.set(
          (operation, _) -> {
            boolean isChange = operation != Operation.READ && operation != Operation.OPEN;
            if (isChange && left[0]-- == 0) {
              throw new IOException("no " + operation);
            }
          });
      hasFailed = false;
      try {
        erase(disk);
      } catch (IOException expected) {
        hasFailed = true;
      }
    }
    assertThat(at).isGreaterThan(8);
    assertThat(ShippedBytes.of(archive)).doesNotContain(GONE).contains(KEPT);
    checkManifests(3);
    try (var paths = Files.walk(archive)) {
      assertThat(paths.filter(Files::isRegularFile)).hasSize(5);
    }
  }

  @Test
  void erase_whileSomebodyArchives_waitsForTheFile() throws Exception {
    Disk disk = new FileDisk();
    fill(disk);
    Thread[] erasing = new Thread[1];
    int[] rows = {0};
    folder(disk)
        .write(
            "deliveries",
            "d",
            COLUMNS,
            () -> {
              if (rows[0]++ == 0) {
                erasing[0] = Thread.ofPlatform().start(this::eraseUnchecked);
                while (!lock.hasQueuedThread(erasing[0])) {
                  Thread.onSpinWait();
                }
              }
              return rows[0] > 2 ? null : Arrays.asList("d", GONE, "{}");
            });
    erasing[0].join();
    assertThat(ShippedBytes.of(archive)).doesNotContain(GONE);
    checkManifests(4);
  }

  private void eraseUnchecked() {
    try {
      erase(new FileDisk());
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }
}
