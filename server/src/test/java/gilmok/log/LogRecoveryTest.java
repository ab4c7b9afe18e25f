package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Bugs found in opening and reading, each in a test named for it, and related cases. */
@Tag("unit")
@ResourceLock("java.util.logging")
final class LogRecoveryTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");
  private static final Path DATA = Path.of("/data");
  private static final LogConfig KEEP_NOTHING =
      new LogConfig(8192, 2048, 50, 1 << 24, Duration.ZERO, 5000, Duration.ofDays(1));

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  /**
   * The writer dies after it has named a segment and before it has forced the name; the next
   * process writes into that segment and acknowledges. It must force the name first, or a power
   * loss takes the whole segment.
   */
  @Test
  void open_segmentNamedByAKilledProcess_itsNameIsForcedBeforeAnAnswer() throws Exception {
    for (long seed = 1; seed <= 20; seed++) {
      PowerLossDisk machine = new PowerLossDisk(seed, PowerLossDisk.Lie.NONE);
      PowerLossDisk.Process first = machine.boot();
      FaultyDisk faulty = new FaultyDisk(first);
      Log killed = new LogRig(faulty, DATA).open();
      faulty.set(
          (operation, path) -> {
            if (operation == FaultyDisk.Operation.FORCE_FOLDER && FaultyDisk.isOn("log-writer")) {
              machine.kill();
              throw new IOException("killed");
            }
          });
      appendUntilFailed(killed);

      // The preallocator is held up, so that it does not force the folder by chance.
      CountDownLatch held = new CountDownLatch(1);
      FaultyDisk holding = new FaultyDisk(machine.boot());
      holding.set((operation, path) -> holdPreparer(held));
      Log second = new LogRig(holding, DATA).open();
      long sequence = Records.append(second, "acknowledged").first();
      machine.losePower();
      held.countDown();
      closeQuietly(second);

      LogRig third = new LogRig(machine.boot(), DATA);
      try (Log log = third.open()) {
        assertThat(Records.read(log.reader(sequence))).containsEntry(sequence, "acknowledged");
      }
      third.checkSound();
    }
  }

  /** A record's id is node:sequence, and the segment's header says which node's. */
  @Test
  void open_withANewNodeId_goesOnInASegmentOfItsOwn() throws Exception {
    LogRig rig = new LogRig();
    NodeId other = new NodeId(43);
    try (Log log = rig.open()) {
      Records.append(log, "old");
    }
    for (int i = 0; i < 2; i++) {
      try (Log log = rig.open(LogRig.SMALL, other)) {
        Records.append(log, "new" + i);
        try (LogReader reader = log.reader(1)) {
          assertThat(reader.next()).isTrue();
          assertThat(reader.node()).isEqualTo(LogRig.NODE);
          assertThat(reader.next()).isTrue();
          assertThat(reader.node()).isEqualTo(other);
          assertThat(reader.sequence()).isEqualTo(2);
        }
        assertThat(log.segments()).isEqualTo(2);
      }
    }
    rig.checkSound();
  }

  @Test
  void open_emptyLogWithANewNodeId_replacesTheEmptySegment() throws Exception {
    LogRig rig = new LogRig();
    rig.open().close();
    try (Log log = rig.open(LogRig.SMALL, new NodeId(43))) {
      assertThat(log.segments()).isEqualTo(1);
      Records.append(log, "one");
      try (LogReader reader = log.reader(1)) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.node()).isEqualTo(new NodeId(43));
      }
    }
    rig.checkSound();
  }

  @Test
  void open_emptySegmentTooSmallForANewBound_isReplaced() throws Exception {
    LogRig rig = new LogRig();
    rig.open().close();
    LogConfig larger =
        new LogConfig(32_768, 16_384, 50, 1 << 24, Duration.ofDays(1), 100, Duration.ofDays(1));
    try (Log log = rig.open(larger)) {
      Records.append(log, "x".repeat(16_000));
      assertThat(Records.read(log.reader(1))).hasSize(1);
    }
    rig.checkSound();
  }

  /** Found bug: each close left a footer, until nothing else fitted into the segment. */
  @Test
  void openAndClose_manyTimes_writesOneMark() throws Exception {
    LogRig rig = new LogRig();
    for (int i = 0; i < 200; i++) {
      rig.open().close();
    }
    try (Log log = rig.open()) {
      Records.append(log, "x".repeat(2000));
      assertThat(log.segments()).isEqualTo(1);
    }
    rig.checkSound();
  }

  /**
   * Found bug: a full segment had no room for the footer, so damage to its last batch looked like a
   * torn tail.
   */
  @Test
  void close_segmentFilledToTheLast_stillHasItsMark() throws Exception {
    LogRig rig = new LogRig();
    try (Log log = rig.open()) {
      int left = 8192 - SegmentFormat.HEADER_BYTES;
      int overhead = BatchFormat.HEADER_BYTES + AppendBatch.FRAME_BYTES;
      for (int i = 0; left > SegmentFooter.BYTES_MAX + overhead; i++) {
        int length = Math.min(2000, left - overhead - SegmentFooter.BYTES_MAX);
        Records.append(log, Records.text("r", i, length));
        left -= overhead + length;
      }
      assertThat(log.segments()).isEqualTo(1);
      assertThat(left).isEqualTo(SegmentFooter.BYTES_MAX);
    }
    rig.checkSound();
    SavedFolder saved = SavedFolder.of(rig.disk, DATA).without("snapshots/repeats");
    byte[] bytes = saved.bytes(saved.segments().getFirst());
    bytes[8192 - SegmentFooter.BYTES_MAX - 12] ^= 1;
    LogRig damaged = new LogRig(saved.with(saved.segments().getFirst(), bytes).restore(), DATA);
    assertThatThrownBy(damaged::open).isInstanceOf(DamagedLogException.class);
  }

  /**
   * Found bug: the third append of one batch counted its repeats twice, and sequences ran
   * backwards.
   */
  @Test
  void append_sameDraftAgainAndAgain_isARepeatEachTime() throws Exception {
    LogRig rig = new LogRig();
    try (Log log = rig.open()) {
      AppendBatch batch = Records.draft("one", "two");
      assertThat(Records.append(log, batch).stored()).isEqualTo(2);
      for (int i = 0; i < 3; i++) {
        assertThat(Records.append(log, batch).stored()).isZero();
        assertThat(batch.repeatCount()).isEqualTo(2);
      }
      assertThat(Records.append(log, "three").first()).isEqualTo(3);
    }
    rig.checkSound();
  }

  /** Found bug: a reader without a cursor reported damage when retention had overtaken it. */
  @Test
  void read_overtakenByRetention_goesOnAtTheOldest() throws Exception {
    LogRig rig = new LogRig();
    try (Log log = rig.open(KEEP_NOTHING);
        LogReader reader = log.reader(1);
        LogReader beside = LogReader.beside(rig.disk, DATA.resolve("log"), 1)) {
      for (int i = 0; i < 30; i++) {
        Records.append(log, Records.text("r", i, 1500));
      }
      assertThat(reader.next()).isTrue();
      assertThat(beside.next()).isTrue();
      rig.now.addAndGet(1000);
      log.keep();
      log.keep();
      assertThat(log.segments()).isEqualTo(1);
      assertThat(lastOf(reader)).isEqualTo(30);
      assertThat(lastOf(beside)).isEqualTo(30);
    }
    rig.checkSound();
  }

  /** Deletion waits for the cursor and for the snapshot of the deduplication table. */
  @Test
  void retention_waitsForCursorsAndForTheSnapshot() throws Exception {
    LogRig rig = new LogRig();
    try (Log log = rig.open(KEEP_NOTHING)) {
      Cursor cursor = log.cursor("sink");
      for (int i = 0; i < 30; i++) {
        Records.append(log, Records.text("r", i, 1500));
      }
      rig.now.addAndGet(1000);
      cursor.advance(12);
      log.keep();
      assertThat(Records.read(log.reader(1))).containsKey(1L);
      log.keep();
      Map<Long, String> left = Records.read(log.reader(1));
      assertThat(left).doesNotContainKey(1L).containsKey(13L).hasSizeLessThan(24);
      AppendBatch again = Records.draft(Records.text("r", 0, 1500));
      Records.append(log, again);
      assertThat(again.isRepeat(0)).as("deleted, and still known").isTrue();
    }
    rig.checkSound();
  }

  @Test
  void advance_aheadOfWhatIsDurable_isABug() throws Exception {
    LogRig rig = new LogRig();
    try (Log log = rig.open()) {
      Records.append(log, "one");
      Cursor cursor = log.cursor("sink");
      assertThatThrownBy(() -> cursor.advance(2)).isInstanceOf(IllegalArgumentException.class);
      cursor.advance(1);
      assertThatThrownBy(() -> cursor.advance(0)).isInstanceOf(IllegalArgumentException.class);
    }
    rig.checkSound();
  }

  @Test
  void tornCopies_oneOfThemRemoved_doNotCollide() throws Exception {
    LogRig rig = new LogRig();
    try (Log log = rig.open()) {
      Records.append(log, "one");
    }
    SavedFolder saved = SavedFolder.of(rig.disk, DATA);
    String segment = saved.segments().getFirst();
    byte[] bytes = saved.bytes(segment);
    bytes[1000] = 1;
    Disk disk = saved.with(segment, bytes).restore();
    Path torn = DATA.resolve("log/torn");
    for (int i = 0; i < 3; i++) {
      LogRig again = new LogRig(disk, DATA);
      again.open().close();
      if (i == 1) {
        List<String> copies = disk.list(torn).stream().sorted().toList();
        assertThat(copies).hasSize(2);
        disk.delete(torn.resolve(copies.getFirst()));
      }
      try (Disk.File file = disk.open(DATA.resolve(segment))) {
        file.write(ByteBuffer.wrap(new byte[] {1}), 1000);
      }
    }
    LogRig last = new LogRig(disk, DATA);
    last.open().close();
    last.checkSound();
    assertThat(disk.list(torn)).hasSize(3);
  }

  private static long lastOf(LogReader reader) throws IOException {
    long last = 0;
    while (reader.next()) {
      assertThat(reader.sequence()).isGreaterThan(last);
      last = reader.sequence();
    }
    return last;
  }

  private static void appendUntilFailed(Log log) throws IOException {
    LogRig.awaitReady(log);
    for (int i = 0; !log.isFailed(); i++) {
      Records.Waiting ticket = new Records.Waiting();
      if (log.append(Records.draft(Records.text("r", i, 1500)), ticket) == AppendResult.TAKEN) {
        LogRig.await(() -> ticket.isDurable() || log.isFailed());
      }
    }
    closeQuietly(log);
  }

  private static void holdPreparer(CountDownLatch held) throws IOException {
    if (FaultyDisk.isOn("log-preparer")) {
      try {
        held.await();
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
        throw new IOException(closing);
      }
    }
  }

  private static void closeQuietly(Log log) {
    try {
      log.close();
    } catch (IOException down) {
      // Expected.
    }
  }
}
