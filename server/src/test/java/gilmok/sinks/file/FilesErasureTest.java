package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.Seeds;
import gilmok.config.Settings;
import gilmok.event.ErasedRiders;
import gilmok.event.Event;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.event.JsonRecord;
import gilmok.event.QuarantinedEncoder;
import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.log.PowerLossDisk;
import gilmok.log.Stream;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.shipped.FileLeases;
import gilmok.shipped.ShippedFiles;
import gilmok.sinks.Batch;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.FileOutput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Riders who are erased from published files: no byte of their ids and points is left in any, every
 * block opened, and every other row is there, once, whatever fails meanwhile.
 */
@Tag("unit")
final class FilesErasureTest {
  private static final String GONE = "rider-gone";
  private static final String KEPT = "rider-kept";
  private static final ErasedRiders ERASED = id -> id.equals(GONE) ? "p-pseudonym" : null;

  /** Found as text in lines, and as the eight bytes of a double in a column of a Parquet file. */
  private static final double PLACE = 37.1234567;

  @TempDir Path folder;

  private final FileLeases leases = new FileLeases();
  private final Events events = new Events();

  private FilesRig rig(FileFormat format) {
    return new FilesRig(folder, format.name().toLowerCase(java.util.Locale.ROOT));
  }

  private FilesErasure erasure(FileFormat format, Disk disk) {
    String word = format.name().toLowerCase(java.util.Locale.ROOT);
    Map<String, String> settings =
        Map.of(
            "sinks.files.folder",
            folder.toString(),
            "sinks.files.format",
            word,
            "sinks.files.replaced-keep",
            "0 s");
    return new FilesErasure(
        FilesConfig.from(new Settings(settings), "files"),
        folder,
        Records.NODE,
        disk,
        leases,
        new ReentrantLock(),
        () -> {});
  }

  private FilesErasure.Result erase(FileFormat format) throws Exception {
    return erasure(format, new FileDisk()).erase(ERASED, (done, of) -> {});
  }

  /** A record of each stream of both riders, at that sequence times 10. */
  private Batch batch(long number, long receivedAt) {
    Batch batch = new Batch(Records.NODE);
    long sequence = 10 * number;
    for (String rider : List.of(GONE, KEPT)) {
      double place = rider.equals(GONE) ? PLACE : 35.7654321;
      position(batch, sequence++, receivedAt, rider, place);
      String json =
          "{\"id\":\"d1:2\",\"data\":{\"riderId\":\"%s\",\"pickup\":{\"lat\":1.5,\"lon\":2.5}},"
                  .formatted(rider)
              + "\"event\":{\"by\":\"rider:%s\",\"lat\":%s,\"lon\":127.5}}".formatted(rider, place);
      byte[] delivery = JsonRecord.encode(EventKind.DELIVERY, "d1:2", new JsonBuffer().ascii(json));
      batch.add(Stream.DELIVERIES, sequence++, receivedAt, delivery, 0, delivery.length);
      byte[] raw =
          "{\"riderId\":\"%s\",\"lat\":\"%s\"}"
              .formatted(rider, place)
              .getBytes(StandardCharsets.UTF_8);
      QuarantinedEncoder encoder = new QuarantinedEncoder();
      encoder.encode("traces", 0, "lat", "no number", raw, 0, raw.length);
      batch.add(Stream.QUARANTINE, sequence++, receivedAt, encoder.bytes(), 0, encoder.size());
    }
    return batch;
  }

  private void position(Batch batch, long sequence, long receivedAt, String rider, double lat) {
    Event event = new Event();
    event.clear(EventKind.POSITION);
    byte[] id = rider.getBytes(StandardCharsets.UTF_8);
    event.text(EventField.RIDER_ID, id, 0, id.length);
    event.at(receivedAt - 500);
    event.number(EventField.LAT, lat);
    event.number(EventField.LON, 127.1);
    events.clear();
    events.add(event, 0);
    batch.add(Stream.TRACES, sequence, receivedAt, events.bytes(), 0, events.length(0));
  }

  private void publish(FilesRig rig, int files) throws Exception {
    try (FilesSink sink = rig.sink()) {
      for (int i = 1; i <= files; i++) {
        sink.send(batch(i, rig.nowMillis));
        rig.nowMillis += 20_000;
        sink.release(true);
      }
    }
  }

  private String everything() throws Exception {
    return ShippedBytes.of(folder);
  }

  private static int count(String all, String part) {
    return all.split(java.util.regex.Pattern.quote(part), -1).length - 1;
  }

  @ParameterizedTest
  @EnumSource
  void erase_published_leavesNoByteOfTheRider(FileFormat format) throws Exception {
    publish(rig(format), 5);
    assertThat(everything()).contains(GONE, "37.1234567");
    FilesErasure.Result result = erase(format);
    assertThat(result.erased()).isEqualTo(10); // positions, and what was quarantined
    assertThat(result.replaced()).isEqualTo(5); // deliveries
    assertThat(result.files()).isEqualTo(15);
    assertThat(result.unreadable()).isEmpty();
    String all = everything();
    assertThat(all).doesNotContain(GONE, "37.1234567").contains("p-pseudonym", "rider:p-pseud");
    assertThat(all).contains("\"pickup\":{\"lat\":1.5,\"lon\":2.5}").contains(KEPT);
    assertThat(erase(format).files()).isZero();
    assertThat(everything()).hasSameSizeAs(all);
  }

  @Test
  void erase_compactedFiles_areFoundAndStayFindable() throws Exception {
    CompactionRig rig = new CompactionRig(folder, new FileDisk());
    publish(rig.files, 40);
    rig.compact();
    rig.compactAfter(2 * 3_600_000);
    rig.compactAfter(10 * 60_000);
    long until = rig.files.nowMillis;
    assertThat(CompactionRig.ids(rig.shipped(), Stream.TRACES, GONE, 0, until)).hasSize(40);
    assertThat(erase(FileFormat.PARQUET).erased()).isEqualTo(80);
    assertThat(CompactionRig.ids(rig.shipped(), Stream.TRACES, GONE, 0, until)).isEmpty();
    assertThat(CompactionRig.ids(rig.shipped(), Stream.TRACES, KEPT, 0, until)).hasSize(40);
    rig.compactAfter(86_400_000L);
    assertThat(CompactionRig.ids(rig.shipped(), Stream.TRACES, KEPT, 0, until)).hasSize(40);
    assertThat(everything()).doesNotContain(GONE);
  }

  /** Whoever has listed the files reads them to the end; they are deleted after that. */
  @Test
  void erase_whileSomebodyReads_waitsForTheLease() throws Exception {
    CompactionRig rig = new CompactionRig(folder, new FileDisk());
    publish(rig.files, 3);
    ShippedFiles shipped = new ShippedFiles(folder, new FileDisk(), leases, 1 << 20);
    Thread erasing;
    try (ShippedFiles.Lease lease =
        shipped.lease(Stream.TRACES, GONE, 0, rig.files.nowMillis, 86_400_000L)) {
      erasing = Thread.ofPlatform().start(() -> eraseUnchecked());
      erasing.join(Duration.ofMillis(300));
      assertThat(erasing.isAlive()).isTrue();
      assertThat(lease.groups()).hasSize(3);
      for (ShippedFiles.RowGroup group : lease.groups()) {
        try (ParquetReader reader = lease.open(group)) {
          reader.begin(group.index(), new ParquetValues("rider_id", ParquetType.TEXT));
          assertThat(reader.nextPage()).isTrue();
        }
      }
    }
    erasing.join();
    assertThat(everything()).doesNotContain(GONE);
  }

  private void eraseUnchecked() {
    try {
      erase(FileFormat.PARQUET);
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  @ParameterizedTest
  @EnumSource
  void erase_diskFailsAtAnyChange_isDoneByTheNextCall(FileFormat format) throws Exception {
    publish(rig(format), 2);
    boolean hasFailed = true;
    for (int at = 0; hasFailed; at++) {
      FaultyDisk disk = new FaultyDisk(new FileDisk());
      int[] left = {at};
      disk.set(
          (operation, path) -> {
            boolean isChange = operation != Operation.READ && operation != Operation.OPEN;
            if (isChange && left[0]-- == 0) {
              throw new IOException("no " + operation);
            }
          });
      hasFailed = false;
      try {
        erasure(format, disk).erase(ERASED, (done, of) -> {});
      } catch (IOException expected) {
        hasFailed = true;
      }
      assertThat(count(everything(), "d1:2")).isGreaterThanOrEqualTo(4);
    }
    erase(format);
    String all = everything();
    assertThat(all).doesNotContain(GONE, "37.1234567");
    try (var paths = Files.walk(folder)) {
      assertThat(paths.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.endsWith(".open") || name.endsWith("-compaction"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void erase_damagedFile_isNamed_andTheOthersAreDone(FileFormat format) throws Exception {
    publish(rig(format), 2);
    Path damaged;
    try (var paths = Files.walk(folder)) {
      damaged =
          paths
              .filter(
                  path -> path.toString().contains("stream=traces") && Files.isRegularFile(path))
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(damaged);
    for (int i = 8; i < 60; i++) {
      bytes[i] ^= 0x55;
    }
    Files.write(damaged, bytes);
    FilesErasure.Result result = erase(format);
    assertThat(result.unreadable()).hasSize(1);
    assertThat(result.unreadable().getFirst()).contains(damaged.getFileName().toString());
    assertThat(result.files()).isEqualTo(5);
  }

  @Test
  void erase_filesOfAnotherNode_stay() throws Exception {
    FilesRig rig = rig(FileFormat.PARQUET);
    Batch batch = new Batch(Records.OTHER);
    position(batch, 1, rig.nowMillis, GONE, PLACE);
    try (FilesSink sink = rig.sink(Records.OTHER, new FileDisk())) {
      sink.send(batch);
      sink.release(true);
    }
    assertThat(erase(FileFormat.PARQUET).files()).isZero();
    assertThat(everything()).contains(GONE);
  }

  /** The machine loses its power at each change: each row is as before or as it is to be. */
  @ParameterizedTest
  @EnumSource
  void powerLostAtEachChange_noOtherRowIsLost(FileFormat format) {
    Seeds.each(
        40,
        seed -> {
          int changes = 0;
          while (losesPowerAt(format, seed, changes + 1)) {
            changes++;
          }
          assertThat(changes).isGreaterThan(format == FileFormat.PARQUET ? 10 : 4);
        });
  }

  private boolean losesPowerAt(FileFormat format, long seed, int change) throws Exception {
    Path path = Path.of("/shipped/stream=traces/date=2026-11-21/hour=14");
    FilesErasure.Hour hour = new FilesErasure.Hour(Stream.TRACES, path);
    PowerLossDisk machine = new PowerLossDisk(seed + change, PowerLossDisk.Lie.NONE);
    PowerLossDisk.Process disk = machine.boot();
    disk.createFolder(path);
    for (int file = 1; file <= 2; file++) {
      publish(format, disk, path, file);
    }
    disk.goDownAt(change);
    boolean wentDown = false;
    try {
      erasure(format, disk).erase(List.of(hour), ERASED, (done, of) -> {});
    } catch (IOException down) {
      wentDown = true;
    }
    machine.losePower();
    disk = machine.boot();
    assertThat(riders(disk, path)).filteredOn(KEPT::equals).hasSizeGreaterThanOrEqualTo(2);
    erasure(format, disk).erase(List.of(hour), ERASED, (done, of) -> {});
    assertThat(riders(disk, path)).containsExactly(KEPT, KEPT);
    assertThat(disk.list(path)).hasSize(2);
    return wentDown;
  }

  private void publish(FileFormat format, Disk disk, Path hour, int number) throws Exception {
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    String suffix = format.suffix();
    String name = "%s-%020d-%020d%s".formatted(Records.NODE, number, number, suffix);
    Batch batch = new Batch(Records.NODE);
    position(batch, number, Records.TWO_PM, GONE, PLACE);
    position(batch, number + 100, Records.TWO_PM, KEPT, 1.5);
    try (RecordFile file =
        format.begin(Stream.TRACES, new FileOutput(disk.create(hour.resolve(name)), buffer))) {
      file.write(batch, 0);
      file.write(batch, 1);
      file.finish();
    }
    disk.forceFolder(hour);
  }

  /** The riders of all rows in visible files. */
  private static List<String> riders(Disk disk, Path hour) throws Exception {
    List<String> riders = new ArrayList<>();
    for (String name : disk.list(hour)) {
      if (name.startsWith(".")) {
        continue;
      }
      if (name.endsWith(".zst")) {
        try (Disk.File file = disk.openForReading(hour.resolve(name))) {
          byte[] bytes = new byte[(int) file.size()];
          file.read(0, bytes.length).get(bytes);
          String text =
              new String(
                  new ZstdInputStream(new ByteArrayInputStream(bytes)).readAllBytes(),
                  StandardCharsets.UTF_8);
          text.lines()
              .map(line -> line.replaceFirst(".*\"riderId\":\"([^\"]*)\".*", "$1"))
              .forEach(riders::add);
        }
        continue;
      }
      try (ParquetReader reader = ParquetReader.open(disk, hour.resolve(name))) {
        ParquetValues id = new ParquetValues("rider_id", ParquetType.TEXT);
        for (int group = 0; group < reader.footer().groups(); group++) {
          reader.begin(group, id);
          while (reader.nextPage()) {
            for (int i = 0; i < id.rows(); i++) {
              riders.add(
                  new String(id.bytes(), id.offset(i), id.length(i), StandardCharsets.UTF_8));
            }
          }
        }
      }
    }
    return riders;
  }

  @Test
  void discard_deletesUnfinishedFilesOfAKilledProcess() throws Exception {
    FilesRig rig = rig(FileFormat.PARQUET);
    FilesSink killed = rig.sink();
    killed.send(batch(1, rig.nowMillis));
    FilesSink sink = rig.sink();
    sink.discard();
    try (var paths = Files.walk(folder)) {
      assertThat(paths.filter(Files::isRegularFile)).isEmpty();
    }
  }
}
