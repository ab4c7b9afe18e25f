package gilmok.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.sinks.Receipt.Outcome;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random receipts, forces, closes and crashes against a list of receipts. The model: the newest
 * receipt of a sequence; a crash forgets what was not forced.
 */
@Tag("unit")
@Tag("soak")
final class ReceiptsModelTest {
  private static final int SEQUENCES = 3000;
  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());

  @TempDir Path temp;
  private final List<Receipt> forced = new ArrayList<>();
  private final List<Receipt> unforced = new ArrayList<>();

  @Test
  void anyOperations_findWhatTheListHas() {
    Seeds.each(
        160,
        seed -> {
          forced.clear();
          unforced.clear();
          run(new Random(seed), temp.resolve("seed" + seed), "seed " + seed);
        });
  }

  private void run(Random random, Path folder, String name) throws IOException {
    Receipts receipts = open(folder);
    for (int i = 0; i < 400; i++) {
      int dice = random.nextInt(100);
      if (dice < 75) {
        Receipt receipt = receipt(random);
        receipts.write(receipt);
        unforced.add(receipt);
      } else if (dice < 92) {
        receipts.force();
        keep();
      } else if (dice < 96) {
        receipts.close();
        keep();
        receipts = open(folder);
      } else {
        unforced.clear();
        receipts = open(folder);
      }
      if (i % 40 == 0) {
        check(receipts, name + ", operation " + i);
      }
    }
    check(receipts, name);
    receipts.close();
  }

  private void keep() {
    forced.addAll(unforced);
    unforced.clear();
  }

  private void check(Receipts receipts, String name) throws IOException {
    Map<Long, Receipt> newest = new HashMap<>();
    for (List<Receipt> list : List.of(forced, unforced)) {
      for (Receipt receipt : list) {
        for (int run = 0; run < receipt.sequences().runs(); run++) {
          for (long s = receipt.sequences().first(run); s <= receipt.sequences().last(run); s++) {
            newest.put(s, receipt);
          }
        }
      }
    }
    for (long sequence = 1; sequence <= SEQUENCES + 100; sequence += 13) {
      assertThat(text(receipts.find(sequence)))
          .as(name + ", sequence " + sequence)
          .isEqualTo(text(newest.get(sequence)));
    }
  }

  private static Receipt receipt(Random random) {
    Sequences sequences = new Sequences();
    long next = 1L + random.nextInt(SEQUENCES);
    for (int run = random.nextInt(5); run >= 0; run--) {
      long last = next + random.nextInt(10);
      sequences.add(next, last);
      next = last + 1 + random.nextInt(10);
    }
    Outcome outcome = OUTCOMES.get(random.nextInt(3));
    long at = 1_800_000_000_000L + (long) random.nextInt(1_000_000);
    return new Receipt(sequences, outcome, at, "place " + random.nextInt(20));
  }

  private static String text(@Nullable Receipt receipt) {
    if (receipt == null) {
      return "none";
    }
    StringBuilder text = new StringBuilder(receipt.outcome() + " " + receipt.place());
    text.append(' ').append(receipt.settledAtMillis());
    for (int run = 0; run < receipt.sequences().runs(); run++) {
      text.append(' ').append(receipt.sequences().first(run));
      text.append('-').append(receipt.sequences().last(run));
    }
    return text.toString();
  }

  private static Receipts open(Path folder) throws IOException {
    return new Receipts(
        new FileDisk(),
        folder,
        Duration.ofDays(30),
        1 << 30,
        2000,
        () -> Instant.ofEpochMilli(1_800_000_000_000L));
  }
}
