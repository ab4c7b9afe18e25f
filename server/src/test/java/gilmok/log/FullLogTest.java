package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.DiskFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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

/**
 * A log without room, at its size limit or on a full disk: which readers are asked to give up
 * records, what is deleted, and when an append is refused. The full disk here has room for five
 * segments.
 */
@Tag("unit")
@ResourceLock("java.util.logging")
final class FullLogTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");
  private static final int SEGMENT = 8192;

  private final FaultyDisk disk =
      new FaultyDisk(new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot());
  private final LogRig rig = new LogRig(disk, Path.of("/data"));
  private int texts;

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  @AfterEach
  void isSound() throws IOException {
    rig.checkSound();
  }

  @ParameterizedTest
  @EnumSource
  void atItsBound_allCanBeAsked_onlyDetachAsks(LogConfig.WhenFull whenFull) throws Exception {
    try (Log log = rig.open(config(5, whenFull))) {
      Cursor[] cursor = new Cursor[1];
      AtomicInteger asked = new AtomicInteger();
      cursor[0] = log.cursor("ship.a", through -> letGo(cursor[0], through, asked));
      boolean detach = whenFull == LogConfig.WhenFull.DETACH;
      assertThat(fill(log, 60)).isEqualTo(detach);
      assertThat(asked.get() > 0).isEqualTo(detach);
      assertThat(cursor[0].sequence() > 0).isEqualTo(detach);
      if (detach) {
        assertThat(log.oldestSequence()).isGreaterThan(1);
        assertThat(cursor[0].sequence()).isEqualTo(log.oldestSequence() - 1);
        assertThat(cursor[0].note()).containsExactly(7);
      }
      assertThat(log.accepted().total()).isEqualTo(log.durable());
      assertThat(log.acceptedThrough(log.oldestSequence() - 1).total())
          .isEqualTo(log.oldestSequence() - 1);
    }
  }

  @Test
  void detach_oneLetsGoAndOneRefuses_isRefused_untilItHasRead() throws Exception {
    try (Log log = rig.open(config(5, LogConfig.WhenFull.DETACH))) {
      Cursor[] cursor = new Cursor[1];
      AtomicInteger asked = new AtomicInteger();
      cursor[0] = log.cursor("ship.a", through -> letGo(cursor[0], through, asked));
      Cursor refusing = log.cursor("ship.b", through -> false);
      assertThat(fill(log, 60)).isFalse();
      assertThat(log.oldestSequence()).isEqualTo(1);
      assertThat(refusing.sequence()).isZero();
      refusing.advance(log.durable());
      assertThat(fill(log, 5)).isTrue();
      assertThat(asked.get()).isPositive();
    }
  }

  @Test
  void detach_oneFails_isRefused() throws Exception {
    try (Log log = rig.open(config(5, LogConfig.WhenFull.DETACH))) {
      log.cursor(
          "ship.a",
          through -> {
            throw new IllegalStateException("a bug in a sink is no end of the log");
          });
      assertThat(fill(log, 60)).isFalse();
      assertThat(log.oldestSequence()).isEqualTo(1);
    }
  }

  @Test
  void detach_aReaderThatCannotBeAsked_isWaitedFor_andNobodyElseIsAsked() throws Exception {
    try (Log earlier = rig.open(config(5, LogConfig.WhenFull.DETACH))) {
      earlier.cursor("live");
    }
    try (Log log = rig.open(config(5, LogConfig.WhenFull.DETACH))) {
      AtomicInteger asked = new AtomicInteger();
      Cursor[] cursor = new Cursor[1];
      cursor[0] = log.cursor("ship.a", through -> letGo(cursor[0], through, asked));
      assertThat(fill(log, 60)).isFalse();
      assertThat(asked.get()).isZero();
      assertThat(log.forget("live")).isTrue();
      assertThat(fill(log, 5)).isTrue();
      assertThat(asked.get()).isPositive();
    }
  }

  /** A cursor whose feature is switched off: nothing will read on from there. */
  @ParameterizedTest
  @EnumSource
  void atItsBound_cursorThatIsLeftOff_isLetGoAndCounted_orHolds(LogConfig.WhenFull whenFull)
      throws Exception {
    try (Log earlier = rig.open(config(5, whenFull))) {
      earlier.cursor("deliveries");
    }
    try (Log log = rig.open(config(5, whenFull))) {
      AtomicLong unread = new AtomicLong();
      log.leaveOff("deliveries", unread::addAndGet);
      log.leaveOff("statements", unread::addAndGet); // no such cursor
      boolean detach = whenFull == LogConfig.WhenFull.DETACH;
      assertThat(fill(log, 60)).isEqualTo(detach);
      assertThat(unread).hasValue(log.sequenceOf("deliveries"));
      assertThat(unread.get() > 0).isEqualTo(detach);
      assertThat(log.unreadCursors()).containsExactly("deliveries");
      assertThat(log.oldestSequence() > 1).isEqualTo(detach);
    }
  }

  @Test
  void fullDisk_passedSegmentsGiveWay() throws Exception {
    fillUpAt(5);
    try (Log log = rig.open(config(1000, LogConfig.WhenFull.REFUSE))) {
      Cursor cursor = log.cursor("ship.a");
      assertThat(fill(log, 60)).isFalse();
      assertThat(log.oldestSequence()).isEqualTo(1);
      assertThat(log.isFailed()).isFalse();
      cursor.advance(log.durable());
      assertThat(fill(log, 4)).isTrue();
      assertThat(log.oldestSequence()).isGreaterThan(1);
      long oldest = rewindToOldest(log, cursor);
      assertThatThrownBy(() -> cursor.rewind(oldest - 2, new byte[0]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /**
   * Rewinds a cursor to the oldest segment. Retention may delete that segment until the cursor
   * holds it; then the next one is tried.
   */
  private static long rewindToOldest(Log log, Cursor cursor) throws Exception {
    while (true) {
      long oldest = log.oldestSequence();
      try {
        cursor.rewind(oldest - 1, new byte[0]);
        return oldest;
      } catch (IllegalArgumentException gone) {
        assertThat(log.oldestSequence()).isGreaterThan(oldest);
      }
    }
  }

  @Test
  void fullDisk_detach_asksToLetGo() throws Exception {
    fillUpAt(5);
    try (Log log = rig.open(config(1000, LogConfig.WhenFull.DETACH))) {
      Cursor[] cursor = new Cursor[1];
      AtomicInteger asked = new AtomicInteger();
      cursor[0] = log.cursor("ship.a", through -> letGo(cursor[0], through, asked));
      assertThat(fill(log, 60)).isTrue();
      assertThat(asked.get()).isPositive();
      assertThat(log.accepted().total()).isEqualTo(log.durable());
    }
  }

  /**
   * A broken disk is not a full one: old segments kept for later reading are not deleted for it.
   */
  @Test
  void brokenDisk_nothingGivesWay() throws Exception {
    try (Log log = rig.open(config(1000, LogConfig.WhenFull.REFUSE))) {
      assertThat(fill(log, 20)).isTrue();
      log.keep();
      disk.fail("log-preparer", FaultyDisk.Operation.WRITE);
      assertThat(fill(log, 60)).isFalse();
      assertThat(log.oldestSequence()).isEqualTo(1);
    }
    disk.set(FaultyDisk.NONE);
  }

  @Test
  void sequenceAt_isTheFirstThenOrLater() throws Exception {
    try (Log log = rig.open(config(1000, LogConfig.WhenFull.REFUSE))) {
      long start = rig.now.get();
      assertThat(log.sequenceAt(0)).isEqualTo(1);
      assertThat(log.sequenceAt(start + 1)).isEqualTo(1);
      for (int i = 0; i < 30; i++) {
        rig.now.set(start + 10L * i);
        assertThat(fill(log, 1)).isTrue();
      }
      assertThat(log.segments()).isGreaterThan(4);
      for (int i = 0; i < 30; i++) {
        assertThat(log.sequenceAt(start + 10L * i)).isEqualTo(i + 1L);
        assertThat(log.sequenceAt(start + 10L * i - 1)).isEqualTo(i + 1L);
        assertThat(log.sequenceAt(start + 10L * i + 1)).isEqualTo(i + 2L);
      }
      assertThat(log.sequenceAt(Long.MAX_VALUE)).isEqualTo(log.durable() + 1);
    }
  }

  private static LogConfig config(int segments, LogConfig.WhenFull whenFull) {
    Duration day = Duration.ofDays(1);
    return new LogConfig(SEGMENT, 2048, 50, (long) segments * SEGMENT, day, 5000, day, whenFull);
  }

  private static boolean letGo(Cursor cursor, long through, AtomicInteger asked)
      throws IOException, InterruptedException {
    asked.incrementAndGet();
    cursor.advance(through, new byte[] {7});
    return true;
  }

  /** Appends that many records of 1,500 bytes; returns false when the log has no room for them. */
  private boolean fill(Log log, int records) throws Exception {
    for (int i = 0; i < records; i++) {
      AppendBatch batch = Records.draft(Records.text("r", texts++, 1500));
      Records.Waiting ticket = new Records.Waiting();
      AtomicInteger refused = new AtomicInteger();
      // Segments not yet covered by a snapshot of the deduplication table cannot be deleted.
      log.keep();
      LogRig.await(
          () ->
              log.append(batch, ticket) == AppendResult.TAKEN
                  || (log.isShortOfRoom() && refused.incrementAndGet() > 500));
      if (refused.get() > 500) {
        return false;
      }
      ticket.await();
    }
    return true;
  }

  private void fillUpAt(int segments) {
    disk.set(
        (operation, path) -> {
          if (operation == FaultyDisk.Operation.WRITE && FaultyDisk.isOn("log-preparer")) {
            long there =
                disk.list(Objects.requireNonNull(path.getParent())).stream()
                    .filter(SegmentFormat::isSegment)
                    .count();
            if (there >= segments) {
              throw new DiskFullException(new IOException("No space left on device"));
            }
          }
        });
  }
}
