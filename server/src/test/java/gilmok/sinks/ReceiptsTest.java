package gilmok.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.sinks.Receipt.Outcome;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sink's receipts are found again, survive a torn file, are deleted when old, and stay small. */
@Tag("unit")
final class ReceiptsTest {
  private static final Duration KEEP = Duration.ofDays(30);
  private static final long MANY = 1 << 30;

  @TempDir Path temp;
  private long now = 1_800_000_000_000L;
  private final InstantSource clock = () -> Instant.ofEpochMilli(now);

  @Test
  void find_beforeAndAfterForceAndAnotherStart_isTheSame() throws Exception {
    try (Receipts receipts = open(MANY)) {
      receipts.write(batch(1, 300, "a.ndjson"));
      receipts.write(new Receipt(of(301, 303, 305), Outcome.QUARANTINED, now + 5, "too old"));
      assertThat(shown(receipts.find(300))).isEqualTo("1-300 DELIVERED 0 a.ndjson");
      receipts.force();
      receipts.write(batch(304, 304, "a.ndjson"));
      check(receipts);
    }
    try (Receipts receipts = open(MANY)) {
      check(receipts);
    }
  }

  private void check(Receipts receipts) throws IOException {
    assertThat(shown(receipts.find(1))).isEqualTo("1-300 DELIVERED 0 a.ndjson");
    assertThat(shown(receipts.find(303)))
        .isEqualTo("301-301,303-303,305-305 QUARANTINED 5 too old");
    assertThat(shown(receipts.find(304))).isEqualTo("304-304 DELIVERED 0 a.ndjson");
    assertThat(receipts.find(302)).isNull();
    assertThat(receipts.find(306)).isNull();
  }

  @Test
  void find_aRecordSettledTwice_isTheNewest() throws Exception {
    try (Receipts receipts = open(MANY)) {
      receipts.write(new Receipt(of(7), Outcome.QUARANTINED, now, "no"));
      receipts.force();
      receipts.write(new Receipt(of(7), Outcome.SKIPPED, now + 1, ""));
      receipts.write(new Receipt(of(7), Outcome.DELIVERED, now + 2, "길목"));
      assertThat(shown(receipts.find(7))).isEqualTo("7-7 DELIVERED 2 길목");
      receipts.force();
      assertThat(shown(receipts.find(7))).isEqualTo("7-7 DELIVERED 2 길목");
    }
  }

  @Test
  void open_fileCutAtAnyByte_hasWhatWasWholeAndGoesOn() throws Exception {
    List<Long> ends = new ArrayList<>();
    Path file = temp.resolve("00000000000000000001.receipts");
    Receipts crashed = open(MANY);
    for (int i = 1; i <= 4; i++) {
      crashed.write(batch(i * 10, i * 10 + 5, "place " + i));
      crashed.write(batch(i * 10 + 6, i * 10 + 6, "place " + (i - 1)));
      crashed.force();
      ends.add(Files.size(file));
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length <= whole.length; length++) {
      Path folder = temp.resolve("cut" + length);
      Files.createDirectory(folder);
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      Files.write(folder.resolve(file.getFileName()), cut);
      try (Receipts receipts = open(folder, MANY, new FileDisk())) {
        for (int i = 1; i <= 4; i++) {
          boolean isWhole = length >= ends.get(i - 1);
          assertThat(receipts.find(i * 10 + 6) != null).as("cut at %d", length).isEqualTo(isWhole);
          assertThat(receipts.find(i * 10) != null).isEqualTo(isWhole);
        }
        receipts.write(batch(77, 78, "behind"));
        receipts.force();
        assertThat(receipts.find(78)).isNotNull();
      }
    }
  }

  @Test
  void open_anyByteChanged_isNoExceptionAndNothingWrong() throws Exception {
    Path file = temp.resolve("00000000000000000001.receipts");
    try (Receipts receipts = open(MANY)) {
      receipts.write(batch(10, 15, "a"));
      receipts.force();
      receipts.write(batch(16, 19, "b"));
    }
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= 0x40;
      Files.write(file, changed);
      try (Receipts receipts = open(MANY)) {
        for (long sequence = 9; sequence <= 20; sequence++) {
          String shown = shown(receipts.find(sequence));
          assertThat(shown).isIn("null", "10-15 DELIVERED 0 a", "16-19 DELIVERED 0 b");
        }
      }
      Files.write(file, whole);
    }
  }

  @Test
  void force_diskFails_keepsAllForTheNextTry() throws Exception {
    FaultyDisk disk = new FaultyDisk(new FileDisk());
    try (Receipts receipts = open(temp, MANY, disk)) {
      receipts.write(batch(1, 5, "a"));
      receipts.force();
      for (Operation operation : List.of(Operation.WRITE, Operation.FORCE, Operation.CREATE)) {
        String place = operation.name();
        receipts.write(batch(10, 15, place));
        // The first failure closes the file, so the second happens on a new one.
        fail(disk, operation == Operation.CREATE ? Operation.FORCE : operation);
        assertThatThrownBy(receipts::force).isInstanceOf(IOException.class);
        fail(disk, operation);
        receipts.write(batch(20, 25, place));
        assertThatThrownBy(receipts::force).isInstanceOf(IOException.class);
        disk.set(FaultyDisk.NONE);
        receipts.force();
        assertThat(shown(receipts.find(10))).endsWith(place);
        assertThat(shown(receipts.find(25))).endsWith(place);
        assertThat(receipts.find(5)).isNotNull();
      }
    }
    try (Receipts receipts = open(MANY)) {
      assertThat(shown(receipts.find(25))).endsWith(Operation.CREATE.name());
      assertThat(receipts.find(5)).isNotNull();
    }
  }

  @Test
  void files_olderThanKept_areDeletedAndNotFound() throws Exception {
    try (Receipts receipts = open(MANY)) {
      receipts.write(batch(1, 5, "old"));
      receipts.force();
      now += Duration.ofDays(2).toMillis();
      receipts.write(batch(6, 9, "new"));
      receipts.force();
      receipts.write(batch(10, 12, "newer"));
      receipts.force();
      now += Duration.ofDays(27).toMillis();
      assertThat(receipts.find(1)).isNotNull();
      assertThat(receipts.find(12)).isNotNull();
      now += Duration.ofDays(2).toMillis();
      assertThat(receipts.find(1)).isNull();
      assertThat(receipts.find(12)).isNotNull();
    }
    now += Duration.ofDays(29).toMillis();
    open(MANY).close();
    assertThat(names()).isEmpty();
  }

  @Test
  void find_notedAndOlderThanKept_isNull() throws Exception {
    try (Receipts receipts = open(MANY)) {
      receipts.write(batch(1, 5, "old"));
      assertThat(receipts.find(1)).isNotNull();
      now += Duration.ofDays(31).toMillis();
      assertThat(receipts.find(1)).isNull();
    }
  }

  @Test
  void files_overTheBound_loseTheOldest() throws Exception {
    long bytesMax = 64 << 10;
    try (Receipts receipts = open(bytesMax)) {
      for (int i = 1; i <= 4000; i++) {
        receipts.write(batch(3L * i, 3L * i + 1, "request " + i));
        if (i % 10 == 0) {
          receipts.force();
          assertThat(receipts.bytes()).isLessThan(bytesMax + bytesMax / 4);
        }
      }
      assertThat(receipts.find(3)).isNull();
      assertThat(receipts.find(12000)).isNotNull();
      assertThat(receipts.find(11000L / 3 * 3)).isNotNull();
      assertThat(names()).hasSizeBetween(4, 12);
    }
    try (Receipts receipts = open(bytesMax)) {
      assertThat(receipts.find(12000)).isNotNull();
    }
  }

  @Test
  void bytesForARecord_fullBatches_areWayUnderEight() throws Exception {
    assertThat(bytesForARecord(300, "traces/2026-03-01/09/0000000001.ndjson.zst")).isLessThan(0.1);
    assertThat(bytesForARecord(300, "")).isLessThan(0.3);
    assertThat(bytesForARecord(1, "one place")).isLessThan(8);
  }

  /** Writes 1000 receipts, forced 100 at a time. Without a place, each gets a different one. */
  private double bytesForARecord(int batch, String place) throws IOException {
    Path folder = temp.resolve("size" + batch + place.length());
    try (Receipts receipts = open(folder, MANY, new FileDisk())) {
      long next = 5_000_000_000L;
      for (int i = 0; i < 1000; i++) {
        String at = place.isEmpty() ? "3b1f9c5e-5a3c-4c0e-9f0e-%012d".formatted(i) : place;
        now += 3;
        receipts.write(batch(next, next + batch - 1, at));
        next += batch;
        if (i % 100 == 99) {
          receipts.force();
        }
      }
      double each = receipts.bytes() / (1000.0 * batch);
      System.out.printf("receipts of batches of %d: %.3f bytes a record%n", batch, each);
      return each;
    }
  }

  private Receipt batch(long first, long last, String place) {
    Sequences sequences = new Sequences();
    sequences.add(first, last);
    return new Receipt(sequences, Outcome.DELIVERED, now, place);
  }

  private static Sequences of(long... each) {
    Sequences sequences = new Sequences();
    for (long one : each) {
      sequences.add(one);
    }
    return sequences;
  }

  private String shown(@Nullable Receipt receipt) {
    if (receipt == null) {
      return "null";
    }
    StringBuilder text = new StringBuilder();
    for (int run = 0; run < receipt.sequences().runs(); run++) {
      text.append(run == 0 ? "" : ",").append(receipt.sequences().first(run));
      text.append('-').append(receipt.sequences().last(run));
    }
    text.append(' ').append(receipt.outcome()).append(' ');
    return text.append(receipt.settledAtMillis() - now)
        .append(' ')
        .append(receipt.place())
        .toString();
  }

  private Receipts open(long bytesMax) throws IOException {
    return open(temp, bytesMax, new FileDisk());
  }

  private Receipts open(Path folder, long bytesMax, Disk disk) throws IOException {
    return Receipts.open(disk, folder, KEEP, bytesMax, clock);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void fail(FaultyDisk disk, Operation failing) {
    disk.set(
        (operation, path) -> {
          if (operation == failing) {
            throw new IOException("no " + operation);
          }
        });
  }
}
