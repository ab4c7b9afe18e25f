package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.log.PowerLossDisk;
import gilmok.log.Stream;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.shipped.ShippedName;
import gilmok.sinks.Batch;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.FileOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine that loses its power, or a disk that fails or is full, at any change that a compaction
 * makes. At each moment after that every record is in a visible file, and each such file is whole;
 * in the end each record is there once, in compacted files, and nothing else is.
 */
@Tag("unit")
@Tag("soak")
class CompactionFaultTest {
  private static final Path HOUR = Path.of("/shipped/stream=traces/date=2026-11-21/hour=14");
  private static final int FILES = 3;
  private static final int ROWS = 20;

  private final ByteBuffer buffer = ByteBuffer.allocate(64 << 10);

  @TempDir Path folder;

  @Test
  void powerLostAtEachChange_noRecordIsLost() {
    Seeds.each(
        60,
        seed -> {
          int changes = 0;
          while (losesPowerAt(seed, changes + 1)) {
            changes++;
          }
          assertThat(changes).isGreaterThan(15);
        });
  }

  /** Whether the machine went down before all was done. */
  private boolean losesPowerAt(long seed, int change) throws Exception {
    PowerLossDisk machine = new PowerLossDisk(seed + change, PowerLossDisk.Lie.NONE);
    PowerLossDisk.Process disk = machine.boot();
    disk.createFolder(HOUR);
    publish(disk);
    disk.goDownAt(change);
    boolean wentDown = false;
    try {
      compact(disk);
    } catch (IOException down) {
      assertThat(down).hasMessageContaining("the machine is down");
      wentDown = true;
    }
    machine.losePower();
    disk = machine.boot();
    assertEveryRecordIsVisible(disk);
    HourFolder hour = new HourFolder(disk, HOUR, Records.NODE, buffer);
    if (hour.recover()) {
      assertEveryRecordIsVisible(disk);
      hour.deleteInputs();
    }
    assertEveryRecordIsVisible(disk);
    if (hour.files().stream().anyMatch(file -> file.compaction() == 0)) {
      compact(disk);
    }
    assertThat(sequences(disk)).isEqualTo(all());
    assertThat(disk.list(HOUR)).allMatch(name -> name.contains("-c1-")).isNotEmpty();
    return wentDown;
  }

  private void publish(Disk disk) throws Exception {
    Records records = new Records(1);
    for (int file = 0; file < FILES; file++) {
      Batch batch = new Batch(Records.NODE);
      long first = 1 + (long) file * ROWS;
      for (long sequence = first; sequence < first + ROWS; sequence++) {
        records.position(batch, sequence, Records.TWO_PM);
      }
      ShippedName name = ShippedName.published("" + Records.NODE, first, first + ROWS - 1);
      try (RecordFile out =
          FileFormat.PARQUET.begin(
              Stream.TRACES, new FileOutput(disk.create(HOUR.resolve(name.toString())), buffer))) {
        for (int i = 0; i < batch.size(); i++) {
          out.write(batch, i);
        }
        out.finish();
      }
    }
    disk.forceFolder(HOUR);
  }

  private void compact(Disk disk) throws Exception {
    HourFolder hour = new HourFolder(disk, HOUR, Records.NODE, buffer);
    List<ShippedName> inputs = hour.files();
    Map<String, Long> sizes = hour.sizes(inputs);
    HourCompaction compaction = new HourCompaction(disk, HOUR, buffer, () -> {}, 1000);
    hour.replace(sizes, compaction.write(inputs, Records.TWO_PM - 3_600_000));
    hour.deleteInputs();
  }

  private static List<Long> all() {
    return LongStream.rangeClosed(1, (long) FILES * ROWS).boxed().toList();
  }

  private static void assertEveryRecordIsVisible(Disk disk) throws IOException {
    assertThat(new TreeSet<>(sequences(disk))).containsExactlyElementsOf(all());
  }

  private static List<Long> sequences(Disk disk) throws IOException {
    List<Long> sequences = new ArrayList<>();
    for (String name : disk.list(HOUR)) {
      if (ShippedName.parse(name) != null) {
        try (ParquetReader reader = ParquetReader.open(disk, HOUR.resolve(name))) {
          ParquetValues sequence = new ParquetValues("sequence", ParquetType.NUMBER);
          for (int group = 0; group < reader.footer().groups(); group++) {
            reader.begin(group, sequence);
            while (reader.nextPage()) {
              for (int i = 0; i < sequence.rows(); i++) {
                sequences.add(sequence.number(i));
              }
            }
          }
        }
      }
    }
    sequences.sort(null);
    return sequences;
  }

  @Test
  void diskFailsAtEachChange_onceAndForGood_nothingIsLostOrLeft() throws Exception {
    int changes = failsFrom(Integer.MAX_VALUE);
    assertThat(changes).isGreaterThan(15);
    each(changes, this::failsFrom);
  }

  /** What is done at a change. */
  private interface AtChange {
    void run(int change) throws Exception;
  }

  /** Each in a folder of its own, beside others, as they wait for the disk most of the time. */
  private static void each(int changes, AtChange test) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 1; i <= changes; i++) {
        int change = i;
        all.add(
            threads.submit(
                () -> {
                  test.run(change);
                  return null;
                }));
      }
      for (int i = 0; i < changes; i++) {
        try {
          all.get(i).get();
        } catch (ExecutionException broken) {
          threads.shutdownNow();
          throw Seeds.failed("at change " + (i + 1), broken);
        }
      }
    }
  }

  /** A full disk from that change on, then one with room: the same process goes on. */
  private int failsFrom(int change) throws Exception {
    Path own = folder.resolve("from" + change);
    FaultyDisk disk = new FaultyDisk(new FileDisk());
    CompactionRig rig = new CompactionRig(own, disk);
    try (FilesSink sink = rig.files.sink()) {
      for (int i = 0; i < FILES; i++) {
        FilesRig.ship(sink, rig.files.positions(1 + 20L * i, 20L * (i + 1)));
      }
    }
    for (String file : rig.files.files()) {
      Files.setLastModifiedTime(own.resolve(file), FileTime.fromMillis(Records.TWO_PM));
    }
    int[] calls = {0};
    disk.set(
        (operation, _) -> {
          boolean changes = operation != Operation.OPEN && operation != Operation.READ;
          if (changes && ++calls[0] >= change) {
            throw new IOException("No space left on device");
          }
        });
    for (int pass = 0; pass < 3; pass++) {
      try {
        rig.compactAfter(7_200_000);
      } catch (IOException retried) {
        assertThat(retried).hasMessageContaining("No space left");
      }
      assertThat(new TreeSet<>(rig.files.sequences("traces"))).containsExactlyElementsOf(all());
    }
    int changes = calls[0];
    disk.set((_, _) -> {});
    rig.compactAfter(3_600_000);
    rig.compactAfter(3_600_000);
    assertThat(rig.files.sequences("traces")).isEqualTo(all());
    assertThat(rig.files.files()).hasSize(1).allMatch(name -> name.contains("-c1-riders-1-of-1"));
    return changes;
  }

  /** As after a kill: a process that knows nothing finds the folder as the one before left it. */
  @Test
  void newProcess_finishesWhatOneBeganBefore() throws Exception {
    each(39, this::killedAt);
  }

  private void killedAt(int at) throws Exception {
    Path own = folder.resolve("killed" + at);
    FaultyDisk disk = new FaultyDisk(new FileDisk());
    CompactionRig rig = new CompactionRig(own, disk);
    try (FilesSink sink = rig.files.sink()) {
      FilesRig.ship(sink, rig.files.positions(1, 30));
      FilesRig.ship(sink, rig.files.positions(31, 60));
    }
    for (String file : rig.files.files()) {
      Files.setLastModifiedTime(own.resolve(file), FileTime.fromMillis(Records.TWO_PM));
    }
    int[] calls = {0};
    disk.set(
        (operation, _) -> {
          if (operation != Operation.OPEN && operation != Operation.READ && ++calls[0] >= at) {
            throw new IOException("killed");
          }
        });
    for (int pass = 0; pass < 2; pass++) {
      try {
        rig.compactAfter(7_200_000);
      } catch (IOException killed) {
        assertThat(killed).hasMessageContaining("killed");
      }
    }
    CompactionRig next = new CompactionRig(own, new FileDisk());
    next.files.nowMillis = rig.files.nowMillis;
    next.compactAfter(3_600_000);
    next.compactAfter(3_600_000);
    assertThat(next.files.sequences("traces")).as("at " + at).isEqualTo(all());
    assertThat(next.files.files()).hasSize(1).allMatch(name -> name.contains("-c1-riders-1-of-1"));
  }
}
