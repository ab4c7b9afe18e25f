package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.FaultyDisk.Operation;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the log does when the disk fails. */
@Tag("unit")
@ResourceLock("java.util.logging")
final class LogFaultTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");
  private static final String WRITER = "log-writer";
  private static final String PREPARER = "log-preparer";

  private final FaultyDisk disk =
      new FaultyDisk(new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot());
  private final LogRig rig = new LogRig(disk, Path.of("/data"));

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  /** Whatever failed: once the disk works again, the log opens and its files are sound. */
  @AfterEach
  void opensAgain() throws Exception {
    disk.set(FaultyDisk.NONE);
    rig.failures.clear();
    rig.open().close();
    rig.checkSound();
  }

  @ParameterizedTest
  @EnumSource(names = {"WRITE", "FORCE"})
  void append_preparedSegmentFails_isFinal(Operation operation) throws Exception {
    try (Log log = rig.open()) {
      Records.append(log, "before");
      disk.fail(WRITER, operation);
      Records.Waiting ticket = new Records.Waiting();
      assertThat(log.append(Records.draft("lost"), ticket)).isEqualTo(AppendResult.TAKEN);
      LogRig.await(log::isFailed);
      disk.set(FaultyDisk.NONE);
      assertFailedOnce(log, ticket);
      assertThat(Records.read(log.reader(1))).containsOnlyKeys(1L);
    }
    assertReopenedWith("before");
  }

  /**
   * Found bug: idle connections had taken all descriptors, so the new segment's name could not be
   * forced.
   */
  @Test
  void roll_noDescriptorIsLeft_goesOn() throws Exception {
    AtomicBoolean isNoneLeft = new AtomicBoolean();
    Disk poor =
        new ForwardingDisk(disk) {
          @Override
          public void forceFolder(Path folder) throws IOException {
            if (isNoneLeft.get()) {
              throw new FileSystemException(folder.toString(), null, "Too many open files");
            }
            super.forceFolder(folder);
          }

          @Override
          public OpenFolder openFolder(Path folder) throws IOException {
            return disk.openFolder(folder);
          }
        };
    LogRig lacking = new LogRig(poor, rig.data);
    try (Log log = lacking.open()) {
      LogRig.awaitReady(log);
      isNoneLeft.set(true);
      for (int i = 0; log.segments() < 2; i++) {
        Records.append(log, Records.text("r", i, 1000));
      }
      isNoneLeft.set(false);
      Records.append(log, "after");
    }
    lacking.checkSound();
  }

  @Test
  void append_writeIsTorn_isFinal_andTheTailIsCut() throws Exception {
    try (Log log = rig.open()) {
      Records.append(log, "before");
      disk.set(
          (operation, path) -> {
            if (operation == Operation.WRITE && FaultyDisk.isOn(WRITER)) {
              throw new FaultyDisk.TornWrite();
            }
          });
      Records.Waiting ticket = new Records.Waiting();
      assertThat(log.append(Records.draft("x".repeat(1000)), ticket)).isEqualTo(AppendResult.TAKEN);
      LogRig.await(log::isFailed);
      assertFailedOnce(log, ticket);
    }
    assertReopenedWith("before");
    assertThat(disk.list(rig.data.resolve("log/torn"))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"RENAME", "FORCE_FOLDER"})
  void roll_fails_isFinal(Operation operation) throws Exception {
    List<String> answered = new ArrayList<>();
    try (Log log = rig.open()) {
      LogRig.awaitReady(log);
      disk.fail(WRITER, operation);
      Records.Waiting ticket = new Records.Waiting();
      for (int i = 0; !log.isFailed(); i++) {
        String text = Records.text("r", i, 1500);
        ticket = new Records.Waiting();
        Records.Waiting last = ticket;
        assertThat(log.append(Records.draft(text), ticket)).isEqualTo(AppendResult.TAKEN);
        LogRig.await(() -> last.isDurable() || log.isFailed());
        if (ticket.isDurable()) {
          answered.add(text);
        }
      }
      assertThat(answered).hasSize(5);
      assertFailedOnce(log, ticket);
    }
    assertReopenedWith(answered.toArray(String[]::new));
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "FORCE_FOLDER"})
  void prepare_fails_refusesWhatNeedsIt_andMends(Operation operation) throws Exception {
    disk.fail(PREPARER, operation);
    try (Log log = rig.open()) {
      List<Records.Waiting> taken = new ArrayList<>();
      AppendResult result = AppendResult.TAKEN;
      for (int i = 0; result != AppendResult.FULL; i++) {
        Records.Waiting ticket = new Records.Waiting();
        result = log.append(Records.draft(Records.text("r", i, 500)), ticket);
        if (result == AppendResult.TAKEN) {
          taken.add(ticket);
        }
      }
      for (Records.Waiting ticket : taken) {
        ticket.await();
      }
      assertThat(taken).hasSizeBetween(12, 16);
      LogRig.await(log::isShortOfRoom);
      assertThat(log.isFailed()).isFalse();
      disk.set(FaultyDisk.NONE);
      Records.append(log, "room again", "y".repeat(1900));
      LogRig.await(() -> !log.isShortOfRoom());
      assertThat(Records.read(log.reader(1))).hasSize(taken.size() + 2);
    }
    assertThat(rig.failures).isEmpty();
  }

  @Test
  void prepare_failsAndASmallAppendStillFits_isTaken() throws Exception {
    disk.fail(PREPARER, Operation.WRITE);
    try (Log log = rig.open()) {
      while (log.append(Records.draft("z".repeat(1500) + log.durable()), new Records.Waiting())
          == AppendResult.TAKEN) {
        LogRig.await(() -> log.queueBytes() == 0);
      }
      Records.append(log, "small");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "RENAME"})
  void advance_fails_keepsTheOldValue_andTheLogGoesOn(Operation operation) throws Exception {
    try (Log log = rig.open()) {
      Records.append(log, "one", "two", "three");
      Cursor cursor = log.cursor("sink");
      cursor.advance(1);
      disk.fail(Thread.currentThread().getName(), operation);
      assertThatThrownBy(() -> cursor.advance(3)).isInstanceOf(IOException.class);
      assertThat(cursor.sequence()).isEqualTo(1);
      disk.set(FaultyDisk.NONE);
      Records.append(log, "four");
      assertThat(log.isFailed()).isFalse();
      try (Log sameFolder = crashAndOpen(log)) {
        assertThat(sameFolder.cursor("sink").sequence()).isEqualTo(1);
        sameFolder.cursor("sink").advance(4);
      }
    }
    try (Log log = rig.open()) {
      assertThat(log.cursor("sink").sequence()).isEqualTo(4);
    }
  }

  @Test
  void advance_folderCannotBeForced_triesAgain() throws Exception {
    try (Log log = rig.open()) {
      Records.append(log, "one", "two");
      Cursor cursor = log.cursor("sink");
      disk.fail(Thread.currentThread().getName(), Operation.FORCE_FOLDER);
      assertThatThrownBy(() -> cursor.advance(2)).isInstanceOf(IOException.class);
      assertThat(cursor.sequence()).isZero();
      disk.set(FaultyDisk.NONE);
      cursor.advance(2);
      assertThat(cursor.sequence()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "FORCE", "RENAME", "FORCE_FOLDER"})
  void repeatsCannotBeSaved_logGoesOn_andStillKnowsThem(Operation operation) throws Exception {
    try (Log log = rig.open()) {
      Records.append(log, "one");
      LogRig.awaitReady(log);
      disk.fail(Thread.currentThread().getName(), operation);
      log.keep();
      disk.set(FaultyDisk.NONE);
      Records.append(log, "two");
    }
    try (Log log = rig.open()) {
      AppendBatch again = Records.draft("two", "one");
      Records.append(log, again);
      assertThat(again.repeatCount()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DELETE", "FORCE_FOLDER"})
  void retention_cannotDelete_laterItCan_andReadersNoticeNothing(Operation operation)
      throws Exception {
    LogConfig keepNothing =
        new LogConfig(8192, 2048, 50, 1 << 24, Duration.ZERO, 5000, Duration.ofDays(1));
    try (Log log = rig.open(keepNothing)) {
      for (int i = 0; i < 30; i++) {
        Records.append(log, Records.text("r", i, 1500));
      }
      LogRig.awaitReady(log);
      log.keep();
      int before = log.segments();
      // The first pass deletes nothing, because it saves the snapshot only after deleting.
      assertThat(before).isGreaterThan(4);
      disk.fail(Thread.currentThread().getName(), operation);
      rig.now.addAndGet(1000);
      log.keep();
      assertThat(Records.read(log.reader(30))).containsOnlyKeys(30L);
      assertThat(Records.read(log.reader(1))).containsKey(30L);
      disk.set(FaultyDisk.NONE);
      log.keep();
      assertThat(log.segments()).isEqualTo(1);
      assertThat(Records.read(log.reader(1))).containsKey(30L);
    }
    assertThat(rig.failures).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 47, 513})
  void shortReads_changeNothing(int bytes) throws Exception {
    List<String> texts = new ArrayList<>();
    try (Log log = rig.open()) {
      for (int i = 0; i < 20; i++) {
        texts.add(Records.text("r", i, 900));
        Records.append(log, texts.getLast());
      }
      log.cursor("sink").advance(20);
    }
    disk.readAtMost(bytes);
    assertReopenedWith(texts.toArray(String[]::new));
    try (Log log = rig.open()) {
      assertThat(log.cursor("sink").sequence()).isEqualTo(20);
      AppendBatch again = Records.draft(texts.subList(3, 5));
      Records.append(log, again);
      assertThat(again.repeatCount()).isEqualTo(2);
    }
    disk.readAtMost(Integer.MAX_VALUE);
  }

  @Test
  void read_fails_isTheReadersOnly() throws Exception {
    try (Log log = rig.open()) {
      Records.append(log, "one");
      LogRig.awaitReady(log);
      disk.fail(Thread.currentThread().getName(), Operation.READ);
      assertThatThrownBy(() -> Records.read(log.reader(1))).isInstanceOf(IOException.class);
      disk.set(FaultyDisk.NONE);
      Records.append(log, "two");
      assertThat(Records.read(log.reader(1))).hasSize(2);
    }
  }

  @Test
  void append_diskIsSlow_waitsInBoundsAndRefusesBusy() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    try (Log log = rig.open()) {
      LogRig.awaitReady(log);
      disk.set(
          (operation, path) -> {
            if (operation == Operation.FORCE && FaultyDisk.isOn(WRITER)) {
              awaitQuietly(slow);
            }
          });
      List<Records.Waiting> taken = new ArrayList<>();
      AppendResult result = AppendResult.TAKEN;
      for (int i = 0; result == AppendResult.TAKEN; i++) {
        Records.Waiting ticket = new Records.Waiting();
        result = log.append(Records.draft(Records.text("r", i, 200)), ticket);
        if (result == AppendResult.TAKEN) {
          taken.add(ticket);
        }
      }
      assertThat(result).isEqualTo(AppendResult.BUSY);
      assertThat(log.queueBytes()).isLessThanOrEqualTo(log.queueBytesMax());
      assertThat(taken).hasSizeBetween(10, 20).noneMatch(Records.Waiting::isDurable);
      assertThat(log.durable()).isZero();
      assertThat(Records.read(log.reader(1))).isEmpty();
      slow.countDown();
      for (Records.Waiting ticket : taken) {
        ticket.await();
      }
      Records.append(log, "quick again");
    }
    assertThat(rig.failures).isEmpty();
  }

  @Test
  void close_repeatsCannotBeSaved_closesAndKnowsThemAgain() throws Exception {
    Log log = rig.open();
    Records.append(log, "one");
    LogRig.awaitReady(log);
    disk.fail(Thread.currentThread().getName(), Operation.CREATE);
    log.close();
    disk.set(FaultyDisk.NONE);
    assertThat(rig.failures).isEmpty();
    try (Log again = rig.open()) {
      assertThat(Records.read(again.reader(1))).hasSize(1);
      assertThat(again.durable()).isEqualTo(1);
    }
  }

  private Log crashAndOpen(Log log) throws IOException, InterruptedException {
    // Closing leaves one writer; what a failed advance left on disk stays as it is.
    log.close();
    return rig.open();
  }

  private void assertFailedOnce(Log log, Records.Waiting unanswered) throws InterruptedException {
    assertThat(unanswered.isDurable()).isFalse();
    // The log fails a moment before it calls back.
    LogRig.await(() -> !rig.failures.isEmpty());
    assertThat(rig.failures).singleElement().isInstanceOf(IOException.class);
    assertThat(log.append(Records.draft("late"), new Records.Waiting()))
        .isEqualTo(AppendResult.CLOSED);
  }

  /** Every acknowledged record is there, in order; an unacknowledged one may have survived. */
  private void assertReopenedWith(String... answered) throws IOException, InterruptedException {
    disk.set(FaultyDisk.NONE);
    try (Log log = rig.open()) {
      assertThat(Records.read(log.reader(1)).values()).startsWith(answered);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    }
  }
}
