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
 * The wall clock as the server sees it: it can be made to jump, by a small library of ours that is
 * compiled here and preloaded there. Monotonic clocks go on as they do. Thread-safe.
 */
final class Clock {
  private final Path file;
  private final Path library;
  private volatile boolean isUsed;

  /** A clock that is right. */
  Clock(Path work) throws IOException {
    this.file = work.resolve("clock");
    this.library = work.resolve("clock.so");
    jump(Duration.ZERO);
  }

  /** From the next start on the server's clock is this one; blocks. */
  void use() throws IOException, InterruptedException {
    Preloaded.compile(library);
    isUsed = true;
  }

  /** What the server's process has to be started with. */
  Map<String, String> environment() {
    return isUsed
        ? Map.of(Preloaded.VARIABLE, library.toString(), "TORTURE_CLOCK", file.toString())
        : Map.of();
  }

  /** Whether a process that was started with it has it. */
  boolean isSeenBy(long pid) {
    return ProcessLook.isMapped(pid, library) && ProcessLook.isMapped(pid, file);
  }

  /** It is wrong by so much from now on. */
  void jump(Duration by) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(0, by.toSeconds());
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      // In its place: the server has it mapped.
      channel.write(bytes, 0);
    }
  }
}
