package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class FilesSinkTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void release_oneStream_filesAreNamedByRangeAndHour(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      Verdict.Done done = FilesRig.ship(sink, rig.positions(7, 9), rig.positions(12, 13));
      assertThat(rig.files()).containsExactly(rig.file("traces", 7, 13));
      assertThat(done.place()).isEqualTo(rig.file("traces", 7, 13));
      assertThat(done.acknowledged().of(Stream.TRACES)).isEqualTo(5);
      assertThat(done.acknowledged().total()).isEqualTo(5);
      assertThat(rig.sequences("traces")).containsExactly(7L, 8L, 9L, 12L, 13L);
      assertThat(sink.release(true)).isNull();
    }
  }

  /** From midnight to midnight in Seoul, which is 15:00 UTC. */
  @Test
  void zone_aDayOfTheFleet_isOneFolder() throws Exception {
    FilesRig rig = new FilesRig(folder, "ndjson").set("zone", "Asia/Seoul");
    try (FilesSink sink = rig.sink()) {
      for (int hour = 0; hour < 24; hour++) {
        rig.nowMillis = Instant.parse("2026-11-20T15:00:00Z").toEpochMilli() + hour * 3_600_000L;
        sink.send(rig.positions(2L * hour + 1, 2L * hour + 1));
        rig.nowMillis += 3_599_999;
        sink.send(rig.positions(2L * hour + 2, 2L * hour + 2));
      }
      FilesRig.ship(sink);
      assertThat(rig.files())
          .hasSize(24)
          .allMatch(file -> file.startsWith("stream=traces/date=2026-11-21/hour="));
      assertThat(rig.sequences("traces")).hasSize(48);
    }
  }

  /** In Berlin, two o'clock came twice: from 00:00 to 02:00 UTC. */
  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void zone_hourThatComesTwice_isOneFile_andNothingIsLost(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format).set("zone", "Europe/Berlin");
    long from = Instant.parse("2026-10-24T23:30:00Z").toEpochMilli();
    try (FilesSink sink = rig.sink()) {
      for (int i = 1; i <= 12; i++) {
        rig.nowMillis = from + (i - 1) * 900_000L; // 01:30, 01:45, then 02:00 to 03:00 twice, 03:00
        sink.send(rig.positions(i, i));
      }
      rig.nowMillis = from + 1_800_000; // the clock of the machine is set back
      sink.send(rig.positions(13, 13));
      FilesRig.ship(sink);
      assertThat(rig.files()).hasSize(3);
      assertThat(rig.sequences("traces"))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, 13).boxed().toList());
    }
  }

  /**
   * What was published by another zone's folders, and not acknowledged, is replaced all the same.
   */
  @Test
  void zone_thatIsChanged_leavesNoRepeats() throws Exception {
    FilesRig rig = new FilesRig(folder, "ndjson").set("zone", "Pacific/Kiritimati");
    try (FilesSink sink = rig.sink()) {
      FilesRig.ship(sink, rig.positions(1, 4));
    }
    rig.set("zone", "Etc/GMT+12");
    try (FilesSink sink = rig.sink()) {
      FilesRig.ship(sink, rig.positions(1, 4));
      assertThat(rig.sequences("traces")).containsExactly(1L, 2L, 3L, 4L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void release_allStreamsAndAnHourThatChanges_oneNameInEachFolder(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      sink.send(rig.oneOfEach(1));
      rig.nowMillis += 3_600_000 - 1;
      sink.send(rig.positions(6, 6));
      rig.nowMillis += 1;
      Verdict.Done done = FilesRig.ship(sink, rig.positions(7, 8));
      assertThat(rig.files())
          .containsExactly(
              rig.file("actions", 1, 8),
              rig.file("deliveries", 1, 8),
              rig.file("logs", 1, 8),
              rig.file("quarantine", 1, 8),
              rig.file("traces", 1, 8),
              rig.file("traces", 1, 8).replace("hour=14", "hour=15"));
      assertThat(done.place())
          .isEqualTo(
              rig.file("traces", 1, 8)
                  .replace("stream=traces", "stream=*")
                  .replace("hour=14", "hour=*"));
      assertThat(done.acknowledged().of(Stream.TRACES)).isEqualTo(4);
      assertThat(done.acknowledged().of(Stream.QUARANTINE)).isEqualTo(1);
      assertThat(rig.sequences("traces")).containsExactly(1L, 6L, 7L, 8L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void release_publishesByAgeAndBytesOnly(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format).set("file-bytes-max", "100 KiB");
    try (FilesSink sink = rig.sink()) {
      assertThat(sink.release(true)).isNull();
      assertThat(sink.send(rig.positions(1, 2))).isInstanceOf(Verdict.Held.class);
      rig.nowMillis += 9_999;
      assertThat(sink.release(false)).isNull();
      rig.nowMillis += 1;
      assertThat(sink.release(false)).isInstanceOf(Verdict.Done.class);
      assertThat(sink.release(false)).isNull();
      sink.send(rig.positions(3, 4));
      assertThat(sink.release(false)).isNull();
      sink.send(rig.positions(5, 1500));
      assertThat(sink.release(false)).isInstanceOf(Verdict.Done.class);
      assertThat(rig.sequences("traces")).hasSize(1500);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void discard_andANewProcess_leaveNothingHalfWritten(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    FilesSink killed = rig.sink();
    killed.send(rig.positions(1, 3));
    assertThat(rig.files()).containsExactly(".open-" + Records.NODE + "/0.open");
    try (FilesSink sink = rig.sink()) {
      FilesRig.ship(sink, rig.positions(1, 5));
      assertThat(rig.files()).containsExactly(rig.file("traces", 1, 5));
      sink.send(rig.positions(6, 8));
      sink.discard();
      assertThat(rig.files()).containsExactly(rig.file("traces", 1, 5));
      assertThat(sink.release(true)).isNull();
      assertThat(FilesRig.ship(sink, rig.positions(6, 7)).acknowledged().total()).isEqualTo(2);
    }
    killed.close();
    assertThat(rig.sequences("traces")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void send_interrupted_everythingHeldIsToBeSentAgain(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      sink.send(rig.positions(1, 2));
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> sink.release(true)).isInstanceOf(InterruptedException.class);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      assertThat(sink.release(false)).isInstanceOf(Verdict.Retry.class);
      sink.discard();
      FilesRig.ship(sink, rig.positions(1, 3));
    }
    assertThat(rig.files()).containsExactly(rig.file("traces", 1, 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void send_damagedRecords_areRejectedAndTheRestIsKept(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      Batch batch = rig.positions(1, 2);
      batch.add(Stream.TRACES, 3, rig.nowMillis, new byte[] {0x7f, 1, 2}, 0, 3);
      batch.add(Stream.QUARANTINE, 4, rig.nowMillis, batch.bytes(), 0, batch.length(0));
      rig.records.position(batch, 5, rig.nowMillis);
      Verdict verdict = sink.send(batch);
      assertThat(verdict).isInstanceOf(Verdict.RejectThese.class);
      Verdict.RejectThese rejected = (Verdict.RejectThese) verdict;
      if (format.equals("parquet")) {
        assertThat(rejected.rejected().stream()).containsExactly(2, 3);
      } else {
        assertThat(rejected.rejected().stream()).containsExactly(2);
      }
      assertThat(rejected.rest()).isEqualTo(new Verdict.Held());
      assertThat(rejected.reason()).isNotEmpty();
      assertThat(sink.release(true)).isInstanceOf(Verdict.Done.class);
      assertThat(rig.sequences("traces")).containsExactly(1L, 2L, 5L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void release_nothingButDamage_isDoneWithNothing(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      Batch batch = new Batch(Records.NODE);
      batch.add(Stream.LOGS, 3, rig.nowMillis, new byte[] {0x7f, 1, 2}, 0, 3);
      assertThat(FilesRig.ship(sink, batch).acknowledged().total()).isZero();
      assertThat(rig.files()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void twoNodes_oneFolder_doNotDisturbEachOther(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink one = rig.sink();
        FilesSink other = rig.sink(Records.OTHER, new FileDisk())) {
      one.send(rig.positions(1, 3));
      other.send(rig.positions(Records.OTHER, 1, 3));
      FilesRig.ship(one);
      FilesRig.ship(other);
      assertThat(rig.files())
          .containsExactly(
              rig.file("traces", 1, 3),
              rig.file("traces", 1, 3).replace(Records.NODE.toString(), Records.OTHER.toString()));
      assertThat(rig.sequences("traces")).containsExactly(1L, 1L, 2L, 2L, 3L, 3L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void send_recordsOfANodeBefore_standInFilesOfTheirOwn(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      sink.send(rig.positions(Records.OTHER, 1, 3));
      sink.send(rig.positions(2, 4));
      assertThat(sink.release(false))
          .isInstanceOfSatisfying(
              Verdict.Done.class,
              done -> assertThat(done.acknowledged().of(Stream.TRACES)).isEqualTo(6));
      assertThat(rig.files())
          .containsExactly(
              rig.file("traces", 2, 4),
              rig.file("traces", 1, 3).replace(Records.NODE.toString(), Records.OTHER.toString()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void send_moreHoursThanFilesCanBeOpen_publishesEarly(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    int hours = 2 * Volume.FILES_MAX + 1;
    Batch batch = new Batch(Records.NODE);
    for (int i = 0; i < hours; i++) {
      rig.records.position(batch, 1 + i, rig.nowMillis + i * 3_600_000L);
    }
    try (FilesSink sink = rig.sink()) {
      assertThat(FilesRig.ship(sink, batch).acknowledged().total()).isEqualTo(hours);
      assertThat(rig.files()).hasSize(hours);
      assertThat(rig.sequences("traces"))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, hours).boxed().toList());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void killedBeforeTheCursor_whatWasPublishedIsReplaced(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink killed = rig.sink()) {
      FilesRig.ship(killed, rig.positions(1, 10));
      FilesRig.ship(killed, rig.oneOfEach(11), rig.positions(16, 20));
      FilesRig.ship(killed, rig.positions(21, 30));
    }
    // The cursor was saved at 10, and the batches are divided differently this time.
    try (FilesSink sink = rig.sink()) {
      Batch again = rig.oneOfEach(11);
      rig.records.position(again, 16, rig.nowMillis);
      FilesRig.ship(sink, again, rig.positions(17, 25));
      assertThat(rig.files())
          .contains(rig.file("traces", 1, 10), rig.file("traces", 11, 25))
          .contains(rig.file("traces", 21, 30), rig.file("logs", 11, 25))
          .doesNotContain(rig.file("traces", 11, 20), rig.file("logs", 11, 20));
      FilesRig.ship(sink, rig.positions(26, 40));
    }
    assertThat(rig.files()).doesNotContain(rig.file("traces", 21, 30));
    assertEachOnce(rig, 40, 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void rewound_filesAreReplacedNotRepeated(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      FilesRig.ship(sink, rig.positions(1, 10));
      FilesRig.ship(sink, rig.positions(11, 20));
      FilesRig.ship(sink, rig.positions(1, 15));
      FilesRig.ship(sink, rig.positions(16, 30));
      assertThat(rig.files())
          .containsExactly(rig.file("traces", 1, 15), rig.file("traces", 16, 30));
      assertEachOnce(rig, 30, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void aRecordSentOnceMore_replacesNothing(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      FilesRig.ship(sink, rig.positions(2, 10));
    }
    try (FilesSink sink = rig.sink()) {
      FilesRig.ship(sink, rig.positions(1, 1), rig.positions(11, 20));
      sink.send(rig.positions(21, 22));
      sink.send(rig.positions(11, 11));
      FilesRig.ship(sink, rig.positions(23, 30));
      assertThat(rig.files()).contains(rig.file("traces", 2, 10), rig.file("traces", 21, 22));
    }
    assertThat(rig.sequences("traces")).hasSize(31).contains(1L, 5L, 11L, 22L, 30L);
  }

  /**
   * Checks that each position up to the last one is there once; the others are of other streams.
   */
  private static void assertEachOnce(FilesRig rig, int last, int others)
      throws SQLException, IOException {
    List<Long> sequences = rig.sequences("traces");
    assertThat(sequences).doesNotHaveDuplicates().hasSize(last - others).contains((long) last);
    try (var paths = Files.walk(rig.folder)) {
      assertThat(paths.filter(path -> path.toString().endsWith(".open"))).isEmpty();
    }
  }
}
