package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A force that failed leaves pages that are clean but not on disk. What the next process reads from
 * them and acknowledges must survive a power loss.
 */
@Tag("unit")
@ResourceLock("java.util.logging")
final class FailedForceTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");
  private static final Path DATA = Path.of("/data");

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  /**
   * Found bug: 80 records that the next process acknowledged as repeats were lost, and the log did
   * not open.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void open_afterAFailedForce_whatItAnswersForOutlivesAPowerLoss(long seed) throws Exception {
    PowerLossDisk machine = new PowerLossDisk(seed, PowerLossDisk.Lie.NONE);
    List<String> texts = appendWithoutForce(machine);
    LogRig second = new LogRig(machine.boot(), DATA);
    Log log = second.open();
    AppendBatch again = Records.draft(texts);
    Records.append(log, again);
    assertThat(again.repeatCount()).isEqualTo(80);
    long last = Records.append(log, "behind it").first();
    machine.losePower();
    closeQuietly(log);
    LogRig third = new LogRig(machine.boot(), DATA);
    try (Log opened = third.open()) {
      Map<Long, String> read = Records.read(opened.reader(1));
      assertThat(read.values()).containsAll(texts);
      assertThat(read).containsEntry(last, "behind it");
    }
    third.checkSound();
  }

  /** A start whose own force fails must leave it to the next start to write the pages again. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void open_failsInItsForce_theNextOneMakesItDurable(long seed) throws Exception {
    PowerLossDisk machine = new PowerLossDisk(seed, PowerLossDisk.Lie.NONE);
    List<String> texts = appendWithoutForce(machine);
    failToOpen(machine, 0);
    Log log = new LogRig(machine.boot(), DATA).open();
    machine.losePower();
    closeQuietly(log);
    LogRig last = new LogRig(machine.boot(), DATA);
    try (Log opened = last.open()) {
      assertThat(Records.read(opened.reader(1)).values()).containsAll(texts);
    }
    last.checkSound();
  }

  /**
   * The zeros over a torn tail are forced too. Otherwise the tail would come back behind the
   * records that are written in its place.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void open_failsInTheForceOfACut_whatWasCutStaysCut(long seed) throws Exception {
    PowerLossDisk machine = new PowerLossDisk(seed, PowerLossDisk.Lie.NONE);
    PowerLossDisk.Process first = machine.boot();
    try (Log log = new LogRig(first, DATA).open()) {
      Records.append(log, "one");
    }
    Path segment = DATA.resolve("log").resolve(SegmentFormat.fileName(1));
    try (Disk.File file = first.open(segment)) {
      file.write(ByteBuffer.wrap("torn".repeat(300).getBytes(StandardCharsets.US_ASCII)), 1500);
      file.force();
    }
    machine.kill();
    // The first force, of the copy of the torn tail, succeeds; the second, of the segment, fails.
    failToOpen(machine, 1);
    Log log = new LogRig(machine.boot(), DATA).open();
    Records.append(log, "two");
    machine.losePower();
    closeQuietly(log);
    PowerLossDisk.Process last = machine.boot();
    LogIntegrity.check(last, DATA);
    try (Log opened = new LogRig(last, DATA).open()) {
      assertThat(Records.read(opened.reader(1)).values()).containsExactly("one", "two");
    }
  }

  /** Appends 20 records that are acknowledged and 80 whose force fails, then kills the process. */
  private static List<String> appendWithoutForce(PowerLossDisk machine) throws Exception {
    PowerLossDisk.Process process = machine.boot();
    LogRig rig = new LogRig(process, DATA);
    Log log = rig.open();
    for (int i = 0; i < 20; i++) {
      Records.append(log, Records.text("acknowledged", i, 40));
    }
    LogRig.awaitReady(log);
    process.failForces("log-writer", 0);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      texts.add("r" + i);
    }
    Records.Waiting ticket = new Records.Waiting();
    assertThat(log.append(Records.draft(texts), ticket)).isEqualTo(AppendResult.TAKEN);
    LogRig.await(log::isFailed);
    assertThat(ticket.isDurable()).isFalse();
    machine.kill();
    closeQuietly(log);
    return texts;
  }

  private static void failToOpen(PowerLossDisk machine, int after) {
    PowerLossDisk.Process process = machine.boot();
    String thread = Thread.currentThread().getName();
    process.failForces(thread, after);
    assertThatThrownBy(new LogRig(process, DATA)::open).hasMessage("Input/output error");
    machine.kill();
  }

  private static void closeQuietly(Log log) {
    try {
      log.close();
    } catch (IOException down) {
      // Expected: the machine is down.
    }
  }
}
