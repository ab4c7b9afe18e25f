package gilmok.lab.torture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/**
 * The wall clock of the server, which can be made to jump by a small library that is compiled here
 * and preloaded into the server. Monotonic clocks are not affected. Thread-safe.
 */
final class Clock {
  private final Path file;
  private final Path library;
  private volatile boolean isUsed;

  /** A clock without deviation. */
  Clock(Path work) throws IOException {
    this.file = work.resolve("clock");
    this.library = work.resolve("clock.so");
    jump(Duration.ZERO);
  }

  /** Makes the server use this clock from its next start on; blocks. */
  void use() throws IOException, InterruptedException {
    Preloaded.compile(library);
    isUsed = true;
  }

  /** The environment variables that the server's process needs. */
  Map<String, String> environment() {
    return isUsed
        ? Map.of(Preloaded.VARIABLE, library.toString(), "TORTURE_CLOCK", file.toString())
        : Map.of();
  }

  /** Whether a process uses this clock. */
  boolean isSeenBy(long pid) {
    return ProcessLook.isMapped(pid, library) && ProcessLook.isMapped(pid, file);
  }

  /** Changes the deviation from real time. */
  void jump(Duration by) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(0, by.toSeconds());
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      // In place, because the server has mapped the file.
      channel.write(bytes, 0);
    }
  }
}
