package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Found bug: with a segment of 512 MiB, the second start failed with OutOfMemoryError. */
@Tag("process")
final class LargeSegmentTest {
  private static final int SEGMENT_BYTES = 512 << 20;
  private static final int BATCH_BYTES = 24 << 20;
  private static final long EPOCH = 0x1234_5678_9ABC_DEF1L;

  @TempDir Path folder;

  @Test
  void recover_segmentManyTimesTheHeap_needsLittle() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                placeOf(Log.class) + File.pathSeparator + placeOf(LargeSegmentTest.class),
                Recovers.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(said).contains("next=9 end=" + (64 + 4L * BATCH_BYTES) + " all=8 behind=true");
  }

  private static String placeOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  /** Recovers the segment in another process, which has a small heap. */
  static final class Recovers {
    private Recovers() {}

    public static void main(String[] arguments) throws IOException {
      FileDisk disk = new FileDisk();
      Path path = Path.of(arguments[0]).resolve(SegmentFormat.fileName(1));
      try (Disk.File file = disk.create(path)) {
        ByteBuffer head = ByteBuffer.allocate(SegmentFormat.HEADER_BYTES);
        SegmentFormat.write(new SegmentFormat.Header(new NodeId(1), EPOCH, 0), head);
        file.write(head.clear(), 0);
        for (int i = 0; i < 4; i++) {
          file.write(batch(2 * i + 1, 0), SegmentFormat.HEADER_BYTES + (long) i * BATCH_BYTES);
        }
        // The torn tail: noise, with the right epoch and a length of a quarter of the segment.
        ByteBuffer torn = ByteBuffer.allocate(1 << 20);
        new Random(1).nextBytes(torn.array());
        torn.putInt(BatchFormat.LENGTH_AT, SEGMENT_BYTES / 4).putLong(BatchFormat.EPOCH_AT, EPOCH);
        file.write(torn, SegmentFormat.HEADER_BYTES + 4L * BATCH_BYTES);
        // Sets the file's size by its last byte: a sparse file costs the test no disk space.
        file.write(ByteBuffer.allocate(1), SEGMENT_BYTES - 1);
      }
      Segments.Segment segment = new Segments.Segment(1, path, SEGMENT_BYTES, 1, false);
      try (Disk.File file = disk.open(path)) {
        file.write(batch(11, 9), SEGMENT_BYTES - BATCH_BYTES - 1000);
        BatchScan scan = new BatchScan(new SegmentWindow(file), EPOCH, path);
        boolean behind = scan.isDurableBehind(SegmentFormat.HEADER_BYTES + 4L * BATCH_BYTES, 9);
        forget(path);
        Recovery.Active found = new Recovery(disk, path.resolveSibling("torn")).open(segment, 0);
        found.file().close();
        System.out.printf(
            "next=%d end=%d all=%d behind=%b%n",
            found.nextSequence(), found.position(), found.counts().total(), behind);
      }
    }

    /**
     * Removes the batch at the end, which recovery would otherwise copy as part of the torn tail.
     */
    private static void forget(Path path) throws IOException {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(SEGMENT_BYTES / 2);
        channel.write(ByteBuffer.allocate(1), SEGMENT_BYTES - 1);
      }
    }

    private static ByteBuffer batch(long sequence, long durableThrough) {
      ByteBuffer batch = ByteBuffer.allocate(BATCH_BYTES);
      int record = (BATCH_BYTES - BatchFormat.HEADER_BYTES) / 2 - AppendBatch.FRAME_BYTES;
      batch.putInt(BatchFormat.HEADER_BYTES, 1 << 24 | record);
      batch.putInt((BATCH_BYTES + BatchFormat.HEADER_BYTES) / 2, 1 << 24 | record);
      CRC32C crc = new CRC32C();
      BatchFormat.seal(batch, BATCH_BYTES, EPOCH, sequence, 0, durableThrough, 2, crc);
      return batch;
    }
  }
}
