package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.background.WakeSignal;
import gilmok.log.PowerLossDisk.Lie;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers that see records before they are forced: no sequence is given twice for that. */
@Tag("unit")
@Tag("soak")
@ResourceLock("java.util.logging")
final class EarlyReadTest {
  private static final int SEEDS_FOR_A_LIE = 2000;
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  @Test
  void anyCrash_noSequenceTwice() {
    int[] early = {0, 0};
    Seeds.each(
        6000,
        seed -> {
          EarlyReadLife life = new EarlyReadLife(seed, Lie.NONE);
          life.live();
          early[0] += life.shownEarly();
          early[1] += life.onlyInEngine();
        });
    assertThat(early[0]).as("shown before they were forced").isPositive();
    assertThat(early[1]).as("kept by the engine alone").isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE_FORCE", "FOLDER_FORCE"})
  void diskThatForgetsTheMark_isCaught(Lie lie) throws Exception {
    for (long seed = 1; seed <= SEEDS_FOR_A_LIE; seed++) {
      try {
        new EarlyReadLife(seed, lie).live();
      } catch (AssertionError noticed) {
        return;
      } catch (IOException noticed) {
        assertThat(noticed).isInstanceOf(DamagedLogException.class);
        return;
      }
    }
    throw new AssertionError("nobody noticed within " + SEEDS_FOR_A_LIE + " seeds");
  }

  @Test
  void closedInOrder_goesOnWithoutAGap() throws Exception {
    LogRig rig = new LogRig();
    Log log = rig.open();
    log.early().begin();
    Records.append(log, "a");
    log.keep();
    Records.append(log, "b");
    log.close();
    Log again = rig.open();
    assertThat(Records.append(again, "c").first()).isEqualTo(3);
    again.close();
    rig.checkSound();
  }

  @Test
  void damagedMark_goesOnBehindAnyItCanHaveNamed() throws Exception {
    PowerLossDisk machine = new PowerLossDisk(5, Lie.NONE);
    PowerLossDisk.Process disk = machine.boot();
    LogRig rig = new LogRig(disk, Path.of("/data"));
    Log log = rig.open();
    log.early().begin();
    Records.append(log, "a");
    log.keep();
    long reserved = 1 + SequenceReserve.STEP;
    Path mark = rig.data.resolve("snapshots").resolve("sequences");
    try (var file = disk.open(mark)) {
      file.write(ByteBuffer.wrap(new byte[] {99}), 3);
      file.force();
    }
    machine.kill();
    LogRig next = new LogRig(machine.boot(), rig.data);
    Log again = next.open();
    assertThat(again.durable()).isGreaterThanOrEqualTo(reserved);
    again.close();
    next.checkSound();
  }

  @Test
  void withoutAMark_isShownOnlyWhenForced() throws Exception {
    LogRig rig = new LogRig();
    Log log = rig.open();
    log.early().begin();
    long[] ahead = {0, 0};
    WakeSignal[] signal = new WakeSignal[1];
    signal[0] =
        new WakeSignal(
            () -> {
              ahead[0] = Math.max(ahead[0], log.early().written() - log.durable());
              ahead[1]++;
              signal[0].arm();
            });
    signal[0].arm();
    log.early().onWritten(signal[0]);
    Records.append(log, "a");
    Records.append(log, "b");
    LogRig.await(() -> ahead[1] == 2);
    assertThat(ahead[0]).as("shown before the force").isZero();
    log.keep();
    Records.append(log, "c");
    assertThat(ahead[0]).as("shown before the force").isEqualTo(1);
    log.close();
    rig.checkSound();
  }

  @Test
  void readersPassTheGap_andSleepAtTheEnd() throws Exception {
    PowerLossDisk machine = new PowerLossDisk(6, Lie.NONE);
    LogRig rig = new LogRig(machine.boot(), Path.of("/data"));
    Log log = rig.open();
    log.early().begin();
    Records.append(log, "a");
    log.keep();
    machine.kill();
    LogRig next = new LogRig(machine.boot(), rig.data);
    Log again = next.open();
    long end = again.durable();
    assertThat(end).isEqualTo(1 + SequenceReserve.STEP);
    try (LogReader reader = again.reader(1)) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.passed()).isEqualTo(1);
      assertThat(reader.next()).isFalse();
      assertThat(reader.passed()).as("nothing is left to read").isEqualTo(end);
      Records.append(again, "b");
      assertThat(reader.next()).isTrue();
      assertThat(reader.sequence()).isEqualTo(end + 1);
      LostRange gap = reader.lostBefore();
      assertThat(gap).isEqualTo(new LostRange(2, end, true));
    }
    assertThat(again.accepted().total()).isEqualTo(2);
    again.close();
    next.checkSound();
  }
}
