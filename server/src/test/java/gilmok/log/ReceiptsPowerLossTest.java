package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.sinks.Receipt;
import gilmok.sinks.Receipts;
import gilmok.sinks.Sequences;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Receipts (of package {@code sinks}) on a disk that loses power: what was forced is there. */
@Tag("unit")
final class ReceiptsPowerLossTest {
  private static final Path FOLDER = Path.of("/receipts/files");
  private static final long BATCH = 10;

  @Test
  void force_powerIsLostAtAnyOperation_everythingForcedIsFound() throws Exception {
    assertThat(losses(PowerLossDisk.Lie.NONE)).isZero();
  }

  @Test
  void diskThatLies_isNoticed() throws Exception {
    assertThat(losses(PowerLossDisk.Lie.FILE_FORCE)).isPositive();
    assertThat(losses(PowerLossDisk.Lie.FOLDER_FORCE)).isPositive();
  }

  /** In how many lives a forced receipt was missing. */
  private static int losses(PowerLossDisk.Lie lie) throws IOException {
    int losses = 0;
    for (long seed = 1; seed <= 200; seed++) {
      PowerLossDisk machine = new PowerLossDisk(seed, lie);
      long forced = 0;
      for (int life = 0; life < 3; life++) {
        PowerLossDisk.Process disk = machine.boot();
        disk.goDownAt(4 + (seed * 7 + life * 13L) % 40);
        try {
          Receipts receipts = open(disk);
          while (true) {
            receipts.write(batch(forced));
            receipts.force();
            forced++;
          }
        } catch (IOException down) {
          machine.losePower();
        }
      }
      Receipts left = open(machine.boot());
      for (long i = 0; i < forced; i++) {
        if (left.find(1 + i * BATCH) == null) {
          losses++;
          break;
        }
      }
    }
    return losses;
  }

  private static Receipt batch(long number) {
    Sequences sequences = new Sequences();
    sequences.add(1 + number * BATCH, (number + 1) * BATCH);
    return new Receipt(
        sequences, Receipt.Outcome.DELIVERED, System.currentTimeMillis(), "request " + number);
  }

  private static Receipts open(Disk disk) throws IOException {
    return Receipts.open(disk, FOLDER, Duration.ofDays(30), 1 << 30, InstantSource.system());
  }
}
