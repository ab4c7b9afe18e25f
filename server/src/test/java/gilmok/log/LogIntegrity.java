package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Checks the files of a log that was closed, or opened again after a crash. Every log test ends
 * with this check. It parses the bytes by the layout in the package's documentation and shares no
 * code with the reader.
 */
final class LogIntegrity {
  private final Disk disk;
  private final Path folder;
  private final Set<Long> epochs = new HashSet<>();
  private long nextSequence;
  private long durableThrough;
  private final long[] counts = new long[7];
  private boolean counted;
  private boolean isRewritten;

  private LogIntegrity(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  /**
   * Checks the log of a data folder.
   *
   * @return the last sequence
   */
  static long check(Disk disk, Path data) throws IOException {
    return new LogIntegrity(disk, data.resolve("log")).checkAll();
  }

  private long checkAll() throws IOException {
    List<String> names =
        disk.list(folder).stream().filter(name -> name.endsWith(".log")).sorted().toList();
    assertThat(names).as("segments").isNotEmpty();
    nextSequence = Long.parseLong(names.getFirst().substring(0, 20));
    counted = nextSequence == 1;
    for (String name : names) {
      if (!name.equals(names.getFirst())) {
        passLost(folder.resolve(name), Long.parseLong(name.substring(0, 20)));
      }
      assertThat(name).as("the segment after the one before").startsWith(number(nextSequence));
      checkSegment(folder.resolve(name));
    }
    return nextSequence - 1;
  }

  /** Skips the sequences that a segment's header declares lost before it. */
  private void passLost(Path path, long firstSequence) throws IOException {
    ByteBuffer all = read(path);
    if (all.getLong(40) != 0 && all.getLong(40) != firstSequence) {
      assertThat(all.getInt(48)).as(path + ": sum of what is lost").isEqualTo(sum(all, 0, 48));
      assertThat(all.getLong(40)).as(path + ": lost from").isEqualTo(nextSequence);
      nextSequence = firstSequence;
      counted = false;
    }
  }

  private void checkSegment(Path path) throws IOException {
    ByteBuffer all = read(path);
    assertThat(all.getLong(0)).as(path + ": magic").isEqualTo(0x47494C4D4F4B4C47L);
    assertThat(all.getInt(8)).as(path + ": version").isIn(1, 2);
    isRewritten = all.getInt(8) == 2;
    assertThat(all.getInt(36)).as(path + ": sum of the header").isEqualTo(sum(all, 0, 36));
    long epoch = all.getLong(20);
    assertThat(epoch & 1).as(path + ": epoch is odd").isEqualTo(1);
    assertThat(epochs.add(epoch)).as(path + ": epoch of its own").isTrue();
    int at = 64;
    while (at + 48 <= all.limit() && all.getInt(at) != 0) {
      checkBatch(all, at, epoch, path + " at " + at);
      at += all.getInt(at);
    }
    for (int i = at; i < all.limit(); i++) {
      assertThat(all.get(i)).as(path + ": zero at " + i + " behind the batches").isZero();
    }
  }

  private void checkBatch(ByteBuffer all, int at, long epoch, String where) {
    int length = all.getInt(at);
    assertThat(length).as(where + ": length").isBetween(48, all.limit() - at);
    assertThat(all.getInt(at + 4)).as(where + ": sum").isEqualTo(sum(all, at + 8, length - 8));
    assertThat(all.getLong(at + 8)).as(where + ": epoch").isEqualTo(epoch);
    assertThat(all.getLong(at + 16)).as(where + ": first sequence").isEqualTo(nextSequence);
    assertThat(all.getLong(at + 32))
        .as(where + ": durableThrough")
        .isBetween(durableThrough, nextSequence - 1);
    durableThrough = all.getLong(at + 32);
    assertThat(all.getInt(at + 44)).as(where + ": flags").isZero();
    int count = all.getInt(at + 40);
    int record = at + 48;
    for (int i = 0; i < count; i++) {
      int stream = all.get(record) & 0x3f;
      int kind = all.get(record) & 0xc0;
      int bytes = all.getInt(record) & 0xffffff;
      assertThat(stream).as(where + ": stream").isBetween(1, 6);
      assertThat(kind).as(where + ": kind").isIn(isRewritten ? List.of(0, 0x40, 0x80) : List.of(0));
      assertThat(bytes).as(where + ": length").matches(n -> kind != 0x80 || n == 16);
      counts[stream]++;
      record += 4 + bytes;
    }
    if (count == 0 && length > 48) {
      checkFooter(all, record, length - 48, where);
      record = at + length;
    }
    assertThat(record).as(where + ": records fill it").isEqualTo(at + length);
    nextSequence += count;
  }

  /**
   * Checks a footer's counts of the records before it. The first footer found sets the counts, and
   * all later ones must agree.
   */
  private void checkFooter(ByteBuffer all, int at, int length, String where) {
    int streams = all.get(at + length - 2);
    assertThat(length).as(where + ": length of the footer").isEqualTo(8 * streams + 2);
    // The sixth is the audit, which only a log has that an earlier version need not read.
    assertThat(streams).as(where + ": streams").isIn(5, 6);
    assertThat(all.get(at + length - 1)).as(where + ": version").isEqualTo((byte) 1);
    if (streams == 6) {
      assertThat(all.getLong(at + 40)).as(where + ": records of the audit").isPositive();
    } else if (counted) {
      assertThat(counts[6]).as(where + ": records of the audit").isZero();
    }
    for (int stream = 1; stream <= streams; stream++) {
      long said = all.getLong(at + 8 * (stream - 1));
      if (counted) {
        assertThat(said).as(where + ": records of stream " + stream).isEqualTo(counts[stream]);
      }
      counts[stream] = said;
    }
    counted = true;
  }

  private ByteBuffer read(Path path) throws IOException {
    try (Disk.File file = disk.openForReading(path)) {
      ByteBuffer all = ByteBuffer.allocate((int) file.size());
      while (all.hasRemaining() && file.read(all, all.position()) >= 0) {
        // Reads until the end.
      }
      return all.flip();
    }
  }

  private static int sum(ByteBuffer all, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(all.duplicate().position(from).limit(from + length));
    return (int) crc.getValue();
  }

  private static String number(long sequence) {
    return "%020d".formatted(sequence);
  }
}
