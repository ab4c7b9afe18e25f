package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.Seeds;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Files whose bytes have changed since they were written. Opening or reading them names the file
 * and the offset, or yields what was written, never anything else.
 */
@Tag("unit")
@Tag("soak")
@ResourceLock("java.util.logging")
final class DamageTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");
  private static final Path DATA = Path.of("/data");
  private static final LogConfig TINY =
      new LogConfig(1024, 600, 50, 1 << 20, Duration.ofDays(1), 100, Duration.ofDays(1));

  private final Map<Long, String> written = new TreeMap<>();
  private SavedFolder sound = saved();

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  /** Three full segments and a last one, closed cleanly, with a cursor at 3. */
  private SavedFolder saved() {
    LogRig rig = new LogRig();
    try {
      try (Log log = rig.open(TINY)) {
        for (int i = 1; log.segments() < 4 || i % 2 == 0; i++) {
          String text = Records.text("record-", i, 130 + 17 * (i % 5));
          Records.append(log, text);
          written.put((long) i, text);
        }
        log.cursor("sink").advance(3);
      }
      rig.checkSound();
      return SavedFolder.of(rig.disk, DATA);
    } catch (IOException | InterruptedException broken) {
      throw new AssertionError(broken);
    }
  }

  @BeforeEach
  void whatIsDamagedWasSound() throws IOException {
    assertThat(sound.segments()).hasSize(4);
    assertThat(readBeside(sound.restore())).isEqualTo(written);
  }

  @Test
  void anyByteOfAnySegmentFlipped_verifyReportsItOrReadsTheSame() throws Exception {
    for (String segment : sound.segments()) {
      byte[] bytes = sound.bytes(segment);
      int end = endOfRecords(bytes);
      for (int at = 0; at < bytes.length; at++) {
        Disk disk = sound.with(segment, flipped(bytes, at)).restore();
        boolean mustBeTold = at < 40 || (at >= SegmentFormat.HEADER_BYTES && at < end);
        try {
          assertThat(readBeside(disk)).as("%s at %d", segment, at).isEqualTo(written);
          assertThat(mustBeTold).as("%s at %d goes unnoticed", segment, at).isFalse();
        } catch (DamagedLogException told) {
          assertNames(told, segment);
        }
      }
    }
  }

  @Test
  void anyByteOfAnySegmentFlipped_openReportsItOrReadsTheSame() throws Exception {
    for (String segment : sound.segments()) {
      boolean newest = segment.equals(sound.segments().getLast());
      byte[] bytes = sound.bytes(segment);
      int end = endOfRecords(bytes);
      for (int at : Seeds.some(bytes.length).toArray()) {
        LogRig rig = new LogRig(sound.with(segment, flipped(bytes, at)).restore(), DATA);
        boolean mustBeTold = at < 40 || (at >= SegmentFormat.HEADER_BYTES && at < end);
        boolean opened = false;
        try (Log log = rig.open(TINY)) {
          opened = true;
          assertThat(Records.read(log.reader(1))).as("%s at %d", segment, at).isEqualTo(written);
          assertThat(mustBeTold).as("%s at %d goes unnoticed", segment, at).isFalse();
        } catch (DamagedLogException told) {
          assertNames(told, segment);
          assertThat(opened && newest).as("told too late at %d", at).isFalse();
        }
      }
    }
  }

  @Test
  void anyByteOfACursorFlippedOrCut_itsReaderBeginsAtTheOldestRecord() throws Exception {
    byte[] bytes = sound.bytes("cursors/sink.cursor");
    for (int at = 0; at < bytes.length; at++) {
      assertRebuilt(sound.with("cursors/sink.cursor", flipped(bytes, at)));
      assertRebuilt(sound.with("cursors/sink.cursor", Arrays.copyOf(bytes, at)));
    }
  }

  private void assertRebuilt(SavedFolder folder) throws Exception {
    LogRig rig = new LogRig(folder.restore(), DATA);
    for (int start = 1; start <= 2; start++) {
      try (Log log = rig.open(TINY)) {
        Cursor cursor = log.cursor("sink");
        assertThat(cursor.isRebuilt()).as("until it moves, start %d", start).isTrue();
        assertThat(cursor.sequence()).isZero();
        assertThat(cursor.note()).isEmpty();
        assertThat(cursor.lost()).isEmpty();
        if (start == 2) {
          cursor.advance(2);
          assertThat(cursor.isRebuilt()).isFalse();
        }
      }
    }
    try (Log log = rig.open(TINY)) {
      assertThat(log.cursor("sink").isRebuilt()).isFalse();
      assertThat(log.cursor("sink").sequence()).isEqualTo(2);
    }
  }

  @Test
  void anyByteOfTheSnapshotFlippedOrCut_isMadeUpForByTheLog() throws Exception {
    byte[] bytes = sound.bytes("snapshots/repeats");
    for (int at = 0; at < bytes.length; at += 3) {
      assertRepeatsKnown(sound.with("snapshots/repeats", flipped(bytes, at)));
      assertRepeatsKnown(sound.with("snapshots/repeats", Arrays.copyOf(bytes, at)));
    }
    assertRepeatsKnown(sound.without("snapshots/repeats"));
  }

  @Test
  void newestSegmentCutShort_doesNotOpen_orNothingWasThere() throws Exception {
    String newest = sound.segments().getLast();
    byte[] bytes = sound.bytes(newest);
    int end = endOfRecords(bytes);
    for (int length = 0; length < bytes.length; length += 5) {
      LogRig rig = new LogRig(sound.with(newest, Arrays.copyOf(bytes, length)).restore(), DATA);
      if (length < end) {
        assertThatThrownBy(() -> rig.open(TINY))
            .isInstanceOfSatisfying(DamagedLogException.class, told -> assertNames(told, newest));
      } else {
        try (Log log = rig.open(TINY)) {
          assertThat(Records.read(log.reader(1))).isEqualTo(written);
          Records.append(log, "more");
        }
        rig.checkSound();
      }
    }
  }

  @Test
  void sealedSegmentCutShort_isTold() throws Exception {
    String middle = sound.segments().get(1);
    byte[] bytes = sound.bytes(middle);
    for (int length = 0; length < endOfRecords(bytes); length += 5) {
      Disk disk = sound.with(middle, Arrays.copyOf(bytes, length)).restore();
      assertThatThrownBy(() -> readBeside(disk))
          .isInstanceOfSatisfying(DamagedLogException.class, told -> assertNames(told, middle));
    }
  }

  @Test
  void middleSegmentMissing_isTold() throws Exception {
    SavedFolder damaged = sound.without(sound.segments().get(2));
    assertThatThrownBy(() -> readBeside(damaged.restore()))
        .isInstanceOfSatisfying(
            DamagedLogException.class, told -> assertNames(told, sound.segments().get(1)));
    assertThatThrownBy(() -> openAndRead(damaged)).isInstanceOf(DamagedLogException.class);
  }

  @Test
  void newestSegmentMissing_doesNotOpen() throws Exception {
    SavedFolder damaged = sound.without(sound.segments().getLast());
    assertThatThrownBy(() -> openAndRead(damaged)).isInstanceOf(DamagedLogException.class);
    SavedFolder cursorKnows = damaged.without("snapshots/repeats");
    assertThat(openAndRead(cursorKnows)).hasSizeLessThan(written.size());
  }

  @Test
  void allSegmentsMissing_doesNotOpen() {
    SavedFolder damaged = sound;
    for (String segment : sound.segments()) {
      damaged = damaged.without(segment);
    }
    SavedFolder none = damaged;
    assertThatThrownBy(() -> openAndRead(none)).isInstanceOf(DamagedLogException.class);
    assertThatThrownBy(() -> openAndRead(none.without("snapshots/repeats")))
        .isInstanceOf(DamagedLogException.class)
        .hasMessageContaining("3");
  }

  @Test
  void segmentsSwapped_isTold() throws Exception {
    List<String> names = sound.segments();
    for (int other : new int[] {0, 2, 3}) {
      SavedFolder swapped =
          sound
              .with(names.get(1), sound.bytes(names.get(other)))
              .with(names.get(other), sound.bytes(names.get(1)));
      assertThatThrownBy(() -> readBeside(swapped.restore()))
          .isInstanceOf(DamagedLogException.class);
      assertThatThrownBy(() -> openAndRead(swapped)).isInstanceOf(DamagedLogException.class);
    }
  }

  @Test
  void headerOfAnotherSegment_isTold() throws Exception {
    for (int i : new int[] {1, 3}) {
      String name = sound.segments().get(i);
      byte[] bytes = sound.bytes(name);
      System.arraycopy(
          sound.bytes(sound.segments().getFirst()), 0, bytes, 0, SegmentFormat.HEADER_BYTES);
      assertThatThrownBy(() -> openAndRead(sound.with(name, bytes)))
          .isInstanceOfSatisfying(DamagedLogException.class, told -> assertNames(told, name));
    }
  }

  @Test
  void preparedLeftover_isDeleted() throws Exception {
    Disk disk =
        sound.with("log/prepared-77", "anything".getBytes(StandardCharsets.UTF_8)).restore();
    LogRig rig = new LogRig(disk, DATA);
    try (Log log = rig.open(TINY)) {
      assertThat(disk.list(DATA.resolve("log"))).doesNotContain("prepared-77");
      assertThat(Records.read(log.reader(1))).isEqualTo(written);
    }
    rig.checkSound();
    assertThat(disk.list(DATA.resolve("log"))).noneMatch(name -> name.startsWith("prepared"));
  }

  private void assertRepeatsKnown(SavedFolder folder) throws Exception {
    LogRig rig = new LogRig(folder.restore(), DATA);
    try (Log log = rig.open(TINY)) {
      for (String text : written.values()) {
        AppendBatch again = Records.draft(text);
        Records.append(log, again);
        assertThat(again.isRepeat(0)).as(text).isTrue();
      }
    }
    rig.checkSound();
  }

  private static Map<Long, String> openAndRead(SavedFolder folder) throws Exception {
    try (Log log = new LogRig(folder.restore(), DATA).open(TINY)) {
      return Records.read(log.reader(1));
    }
  }

  private static Map<Long, String> readBeside(Disk disk) throws IOException {
    return Records.read(LogReader.beside(disk, DATA.resolve("log"), 1));
  }

  private static void assertNames(DamagedLogException told, String segment) {
    assertThat(told).hasMessageContaining(segment).hasMessageContaining("offset");
  }

  private static byte[] flipped(byte[] bytes, int at) {
    byte[] changed = bytes.clone();
    changed[at] ^= (byte) (1 << at % 8);
    return changed;
  }

  /** The offset at which the batches with records end. */
  private static int endOfRecords(byte[] segment) {
    int at = SegmentFormat.HEADER_BYTES;
    int end = at;
    while (at + BatchFormat.HEADER_BYTES <= segment.length && BigEndian.getInt(segment, at) > 0) {
      boolean hasRecords = BigEndian.getInt(segment, at + BatchFormat.COUNT_AT) > 0;
      at += BigEndian.getInt(segment, at);
      end = hasRecords ? at : end;
    }
    return end;
  }
}
