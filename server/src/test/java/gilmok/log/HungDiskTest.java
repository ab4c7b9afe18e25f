package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A disk that neither answers nor fails is reported until it answers again. */
@Tag("unit")
final class HungDiskTest {
  private final FaultyDisk disk =
      new FaultyDisk(new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot());
  private final LogRig rig = new LogRig(disk, Path.of("/data"));
  private final CountDownLatch answers = new CountDownLatch(1);

  @Test
  void forceThatHangs_isNamed_andWaitsForItsEnd() throws Exception {
    try (Log log = rig.open()) {
      LogRig.awaitReady(log);
      hang("log-writer", FaultyDisk.Operation.FORCE);
      assertThat(log.standstill().commitSeconds()).isZero();
      Records.Waiting ticket = new Records.Waiting();
      assertThat(log.append(Records.draft("one"), ticket)).isEqualTo(AppendResult.TAKEN);
      LogRig.await(() -> log.standstill().whyHung() != null);
      assertThat(log.standstill().whyHung()).startsWith("a commit has not come to its end for ");
      assertThat(log.standstill().commitSeconds()).isGreaterThan(4);
      assertThat(ticket.isDurable()).isFalse();
      answers.countDown();
      ticket.await();
      LogRig.await(() -> log.standstill().whyHung() == null);
    }
    rig.checkSound();
  }

  @Test
  void segmentThatIsNotMadeReady_isNamed_onceAppendsAreRefusedForIt() throws Exception {
    try (Log log = rig.open()) {
      LogRig.awaitReady(log);
      hang("log-preparer", FaultyDisk.Operation.CREATE);
      for (int i = 0; append(log, i) != AppendResult.FULL; i++) {
        assertThat(i).isLessThan(1000);
      }
      assertThat(log.isShortOfRoom()).isFalse();
      LogRig.await(() -> log.standstill().whyFull() != null);
      assertThat(log.standstill().whyFull())
          .startsWith("the next segment has not become ready for ");
      answers.countDown();
      LogRig.await(() -> log.standstill().whyFull() == null);
      Records.append(log, "goes on");
    }
    rig.checkSound();
  }

  private static AppendResult append(Log log, int number) throws InterruptedException {
    Records.Waiting ticket = new Records.Waiting();
    AppendResult result = log.append(Records.draft(Records.text("t", number, 500)), ticket);
    if (result == AppendResult.TAKEN) {
      ticket.await();
    }
    return result;
  }

  private void hang(String thread, FaultyDisk.Operation operation) {
    disk.set(
        (now, path) -> {
          if (now == operation && FaultyDisk.isOn(thread)) {
            try {
              answers.await();
            } catch (InterruptedException stopped) {
              throw new IOException(stopped);
            }
          }
        });
  }
}
