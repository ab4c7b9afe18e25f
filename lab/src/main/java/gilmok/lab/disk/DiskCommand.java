package gilmok.lab.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab disk}: measures small writes into a prewritten file, each forced, as the log's writer
 * does them. All requests wait during a slow fsync, so a server's p99 depends not on how many
 * fsyncs are slow but on the share of time spent in slow ones.
 */
@Command(
    name = "disk",
    description = {
      "Measure how long an fsync of the disk alone takes, and the share of time in " + "slow ones."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab disk --seconds 2",
      "  gilmok lab disk --folder /tmp                           # 20 seconds"
    })
public final class DiskCommand implements Callable<Integer> {
  private static final int FILE_BYTES = 64 << 20;
  private static final int CHUNK_BYTES = 1 << 20;
  private static final long SLOW_NANOS = 5_000_000;
  private static final int SECONDS_MAX = 600;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      description = "How long (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--bytes",
      defaultValue = "2048",
      description = "Bytes of a write (default: ${DEFAULT-VALUE}).")
  private int bytes;

  @Option(
      names = "--folder",
      defaultValue = ".",
      paramLabel = "DIR",
      description = "A folder on the disk (default: ${DEFAULT-VALUE}).")
  private Path folder = Path.of(".");

  @Override
  public Integer call() throws IOException {
    Path path = Files.createTempFile(folder, "gilmok-disk", ".tmp");
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
      for (int at = 0; at < FILE_BYTES; at += CHUNK_BYTES) {
        channel.write(chunk.clear(), at);
      }
      channel.force(true);
      measure(channel, chunk);
    } finally {
      Files.delete(path);
    }
    return 0;
  }

  private void measure(FileChannel channel, ByteBuffer buffer) throws IOException {
    Histogram nanos = new Histogram(3);
    int length = Math.clamp(bytes, 1, CHUNK_BYTES);
    long start = System.nanoTime();
    long end = start + Math.clamp(seconds, 1, SECONDS_MAX) * 1_000_000_000L;
    long slowNanos = 0;
    int at = 0;
    while (System.nanoTime() < end) {
      long begun = System.nanoTime();
      channel.write(buffer.clear().limit(length), at);
      channel.force(false);
      long took = System.nanoTime() - begun;
      nanos.recordValue(took);
      slowNanos += took > SLOW_NANOS ? took : 0;
      at = at + 2 * length > FILE_BYTES ? 0 : at + length;
      LockSupport.parkNanos(150_000);
    }
    System.out.printf(
        "%,d fsyncs of %,d bytes: p50 %.3f ms, p99 %.3f ms, p99.9 %.3f ms, max %.1f ms%n",
        nanos.getTotalCount(),
        length,
        nanos.getValueAtPercentile(50) / 1e6,
        nanos.getValueAtPercentile(99) / 1e6,
        nanos.getValueAtPercentile(99.9) / 1e6,
        nanos.getMaxValue() / 1e6);
    System.out.printf(
        "%.2f %% of the time passed in fsyncs of over 5 ms%n",
        100.0 * slowNanos / (System.nanoTime() - start));
  }
}
