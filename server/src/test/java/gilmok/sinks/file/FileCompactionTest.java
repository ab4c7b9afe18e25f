package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Stream;
import gilmok.shipped.ShippedFiles;
import gilmok.sinks.Batch;
import gilmok.storage.FileDisk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small files become sorted ones, with every record in them; readers find what they listed. */
@Tag("unit")
class FileCompactionTest {
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final String TRACES = "stream=traces/date=2026-11-21/hour=14/";

  @TempDir Path folder;
  private CompactionRig rig;

  @BeforeEach
  void begin() {
    rig = new CompactionRig(folder, new FileDisk());
  }

  /** Publishes that many files of 20 positions each, a minute apart, from that sequence on. */
  private void publish(long first, int files) throws Exception {
    try (FilesSink sink = rig.files.sink()) {
      for (int i = 0; i < files; i++) {
        long from = first + 20L * i;
        FilesRig.ship(sink, rig.files.positions(from, from + 19));
        rig.files.nowMillis += MINUTE;
      }
    }
    publishedNow();
  }

  /** The files are of the test's time. */
  private void publishedNow() throws Exception {
    for (String file : rig.files.files()) {
      Files.setLastModifiedTime(
          folder.resolve(file), FileTime.fromMillis(rig.files.nowMillis - MINUTE));
    }
  }

  private List<String> traces() throws Exception {
    return rig.files.files().stream()
        .filter(file -> file.startsWith(TRACES))
        .map(file -> file.substring(TRACES.length()))
        .toList();
  }

  @Test
  void hourThatIsOver_becomesOneSortedFile() throws Exception {
    publish(1, 5);
    rig.compactAfter(40 * MINUTE);
    assertThat(traces()).as("the hour goes on").hasSize(5);
    rig.compactAfter(20 * MINUTE);
    assertThat(traces()).hasSize(7).filteredOn(name -> name.endsWith("-compaction")).hasSize(1);
    rig.compactAfter(MINUTE);
    String name =
        Records.NODE + "-00000000000000000001-00000000000000000100-c1-riders-1-of-1.parquet";
    assertThat(traces()).containsExactly(name);
    assertThat(
            FilesRig.query(
                "select sequence from '"
                    + folder.resolve(TRACES + name)
                    + "' order by rider_id, happened_at, dedup_key"))
        .isEqualTo(FilesRig.query("select sequence from '" + folder.resolve(TRACES + name) + "'"))
        .hasSize(100);
    assertThat(rig.meters.scrape())
        .asString(StandardCharsets.UTF_8)
        .contains("gilmok_compaction_files_in_total{sink=\"files\"} 5.0")
        .contains("gilmok_compaction_rows_total{sink=\"files\"} 100.0");
  }

  @Test
  void hourThatGoesOn_isCompactedFrom32FilesOn_andAsAWholeInTheEnd() throws Exception {
    publish(1, FileCompaction.FILES_MIN - 1);
    rig.compact();
    assertThat(traces()).hasSize(FileCompaction.FILES_MIN - 1);
    publish(1001, 1);
    rig.compactAfter(MINUTE);
    rig.compactAfter(MINUTE);
    assertThat(traces()).hasSize(1).allMatch(name -> name.contains("-c1-riders-1-of-1"));
    publish(2001, 2);
    rig.compactAfter(HOUR);
    rig.compactAfter(MINUTE);
    assertThat(traces()).hasSize(1).allMatch(name -> name.contains("-c2-riders-1-of-1"));
    assertThat(rig.files.sequences("traces")).hasSize(34 * 20);
  }

  @Test
  void recordsThatAreNotSettled_areLeft() throws Exception {
    publish(1, 4);
    rig.settled = 40;
    rig.compactAfter(2 * HOUR);
    rig.compactAfter(MINUTE);
    assertThat(traces()).hasSize(3).filteredOn(name -> name.contains("-c1-")).hasSize(1);
  }

  @Test
  void filesOfAnotherNode_areLeft() throws Exception {
    try (FilesSink sink = rig.files.sink(Records.OTHER, new FileDisk())) {
      FilesRig.ship(sink, rig.files.positions(Records.OTHER, 1, 20));
    }
    List<String> before = traces();
    rig.compactAfter(3 * HOUR);
    assertThat(traces()).isEqualTo(before);
  }

  @Test
  void recordShippedTwice_isThereOnce() throws Exception {
    publish(1, 3);
    Path twice = folder.resolve(rig.files.file("traces", 1, 20));
    Files.copy(twice, folder.resolve(rig.files.file("traces", 1, 21)));
    publishedNow();
    rig.compactAfter(2 * HOUR);
    rig.compactAfter(MINUTE);
    assertThat(rig.files.sequences("traces")).hasSize(60).doesNotHaveDuplicates();
    assertThat(rig.meters.scrape())
        .asString(StandardCharsets.UTF_8)
        .contains("gilmok_compaction_repeats_total{sink=\"files\"} 20.0");
  }

  @Test
  void everyStream_withLateRecords_keepsEveryRow() throws Exception {
    try (FilesSink sink = rig.files.sink()) {
      for (int i = 0; i < 50; i++) {
        Batch batch = rig.files.oneOfEach(1 + 5L * i);
        FilesRig.ship(sink, batch);
      }
    }
    publishedNow();
    Map<Stream, List<List<Object>>> before = rows();
    rig.compactAfter(2 * HOUR);
    rig.compactAfter(MINUTE);
    assertThat(rig.files.files()).allMatch(file -> file.contains("-c1-"));
    assertThat(rows()).isEqualTo(before);
    assertThat(rig.files.files())
        .anyMatch(file -> file.contains("-late-1-of-1"))
        .anyMatch(file -> file.contains("-all-1-of-1"));
  }

  /** Every column of every record, by its sequence. */
  private Map<Stream, List<List<Object>>> rows() throws Exception {
    Map<Stream, List<List<Object>>> rows = new EnumMap<>(Stream.class);
    for (Stream stream : EnumSet.complementOf(EnumSet.of(Stream.AUDIT))) {
      String files = folder + "/stream=" + stream.label() + "/*/*/*.parquet";
      List<List<Object>> all =
          FilesRig.query("select * from read_parquet('" + files + "') order by sequence");
      assertThat(all).hasSize(50);
      rows.put(stream, all);
    }
    return rows;
  }

  @Test
  void reader_findsWhatItListed() throws Exception {
    publish(1, 5);
    ShippedFiles shipped = rig.shipped();
    long from = Records.TWO_PM - HOUR;
    long to = Records.TWO_PM + HOUR;
    try (ShippedFiles.Lease lease = shipped.lease(Stream.TRACES, null, from, to, HOUR)) {
      assertThat(lease.groups()).hasSize(5);
      rig.compactAfter(2 * HOUR);
      rig.compactAfter(10 * MINUTE);
      assertThat(traces()).hasSize(7);
      for (ShippedFiles.RowGroup group : lease.groups()) {
        lease.open(group).close();
      }
    }
    assertThat(CompactionRig.ids(shipped, Stream.TRACES, null, from, to)).hasSize(200);
    rig.compactAfter(MINUTE);
    assertThat(traces()).hasSize(1);
    assertThat(CompactionRig.ids(shipped, Stream.TRACES, null, from, to))
        .hasSize(100)
        .doesNotHaveDuplicates();
  }

  @Test
  void rider_isFound_inSmallAndInCompactedFiles() throws Exception {
    publish(1, 10);
    ShippedFiles shipped = rig.shipped();
    String rider = "rider-" + (100_000 + 77);
    long from = Records.TWO_PM - HOUR;
    long to = Records.TWO_PM + HOUR;
    List<String> small = CompactionRig.ids(shipped, Stream.TRACES, rider, from, to);
    assertThat(small).containsExactly(Records.NODE + ":77");
    rig.compactAfter(2 * HOUR);
    rig.compactAfter(MINUTE);
    assertThat(CompactionRig.ids(shipped, Stream.TRACES, rider, from, to)).isEqualTo(small);
    assertThat(CompactionRig.ids(shipped, Stream.TRACES, "nobody", from, to)).isEmpty();
    assertThat(CompactionRig.ids(shipped, Stream.TRACES, rider, from, from + 1)).isEmpty();
    assertThat(CompactionRig.ids(shipped, Stream.TRACES, rider, 0, 1)).isEmpty();
    assertThat(CompactionRig.ids(shipped, Stream.ACTIONS, rider, from, to)).isEmpty();
  }

  @Test
  void damagedFile_isLeftWithAllOfItsHour_andOtherHoursGoOn() throws Exception {
    publish(1, 3);
    Files.write(folder.resolve(rig.files.file("traces", 21, 40)), new byte[100]);
    publishedNow();
    List<String> before = traces();
    rig.files.nowMillis = Records.TWO_PM + HOUR;
    publish(1001, 3);
    rig.compactAfter(3 * HOUR);
    rig.compactAfter(MINUTE);
    assertThat(traces()).isEqualTo(before);
    assertThat(rig.files.files()).filteredOn(file -> file.contains("hour=15")).hasSize(1);
    assertThat(rig.meters.scrape())
        .asString(StandardCharsets.UTF_8)
        .contains("gilmok_compaction_failures_total{sink=\"files\"} 1.0");
  }

  /** More rows than may be in memory: several files a part, and parts by riders. */
  @Test
  void manyRows_becomePartsOfRiders() throws Exception {
    publish(1, 30);
    HourCompaction compaction =
        new HourCompaction(
            new FileDisk(), folder.resolve(TRACES), ByteBuffer.allocate(8192), () -> {}, 100);
    HourFolder hour =
        new HourFolder(
            new FileDisk(), folder.resolve(TRACES), Records.NODE, ByteBuffer.allocate(8192));
    var sizes = hour.sizes(hour.files());
    List<String> outputs = compaction.write(hour.files(), 0);
    hour.replace(sizes, outputs);
    hour.deleteInputs();
    assertThat(traces()).anyMatch(name -> name.contains("riders-8-of-8"));
    assertThat(rig.files.sequences("traces")).hasSize(600).doesNotHaveDuplicates();
    ShippedFiles shipped = rig.shipped();
    for (int i = 1; i <= 600; i += 13) {
      assertThat(
              CompactionRig.ids(
                  shipped, Stream.TRACES, "rider-" + (100_000 + i), 0, Long.MAX_VALUE))
          .containsExactly(Records.NODE + ":" + i);
    }
    assertThat(new HashSet<>(outputs)).hasSameSizeAs(outputs);
  }
}
