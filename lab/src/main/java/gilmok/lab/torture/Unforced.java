package gilmok.lab.torture;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A disk that forgets, where no file system's power can be cut: a small library that is preloaded
 * into the server puts down what stood where it writes, and what it has forced; after a kill all
 * that was not forced is taken back. Names are not forgotten. Not thread-safe; blocks.
 */
final class Unforced {
  private static final long FORCED = 2;
  private static final int HEAD_BYTES = 64;

  private final Path journal;
  private final Path library;
  private final Path below;

  /** Of the files below a folder, which has to be there when a server starts. */
  Unforced(Path work, Path below) {
    this.journal = work.resolve("unforced");
    this.library = work.resolve("forget.so");
    this.below = below;
  }

  /** To be called once, before the first start. */
  void use() throws IOException, InterruptedException {
    Preloaded.compile(library);
  }

  /** What the server's process has to be started with. */
  Map<String, String> environment() {
    return Map.of(
        Preloaded.VARIABLE,
        library.toString(),
        "TORTURE_FORGET",
        journal.toString(),
        "TORTURE_BELOW",
        below.toString());
  }

  /** One file, whatever its name is now. */
  private record Id(long inode, long bornNanos) {}

  /** What stood somewhere before it was written to. */
  private record Before(Id file, long at, long offset, long length, ByteBuffer bytes) {}

  /**
   * Takes back all that was not forced; nobody may have it open.
   *
   * @return how many writes that were
   * @throws DidNotTakeException when nothing was put down since the last time
   */
  int forget() throws IOException {
    if (Files.notExists(journal)) {
      throw new DidNotTakeException("the server did not say what it has written");
    }
    Map<Id, Long> forcedUpTo = new HashMap<>();
    read((kind, one) -> forcedUpTo.merge(one.file, kind == FORCED ? one.offset : 0, Math::max));
    Map<Id, Path> names = names();
    Deque<Before> newestFirst = new ArrayDeque<>();
    read(
        (kind, one) -> {
          boolean isLost = kind != FORCED && one.at >= forcedUpTo.getOrDefault(one.file, 0L);
          if (isLost && names.containsKey(one.file)) {
            newestFirst.addFirst(one);
          }
        });
    for (Before one : newestFirst) {
      Path name = names.get(one.file);
      if (name != null) {
        restore(name, one);
      }
    }
    Files.delete(journal);
    // It is written through a mapping, and never forced.
    Files.deleteIfExists(below.resolve("documents.db-shm"));
    return newestFirst.size();
  }

  private static void restore(Path name, Before one) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(name.toFile(), "rw")) {
      ByteBuffer bytes = one.bytes.duplicate();
      for (long at = one.offset; bytes.hasRemaining(); ) {
        at += file.getChannel().write(bytes, at);
      }
      if (file.length() != one.length) {
        file.setLength(one.length);
      }
    }
  }

  /** Takes the entries of the journal. */
  @FunctionalInterface
  private interface Taker {
    void take(long kind, Before entry);
  }

  /** The last entry may have been cut short by the kill: its write was not begun. */
  private void read(Taker taker) throws IOException {
    try (InputStream all = Files.newInputStream(journal);
        DataInputStream in = new DataInputStream(new BufferedInputStream(all))) {
      for (long at = 0; ; ) {
        long kind = next(in);
        next(in);
        Id file = new Id(next(in), next(in));
        long offset = next(in);
        long length = next(in);
        byte[] bytes = new byte[(int) next(in)];
        next(in);
        in.readFully(bytes);
        taker.take(kind, new Before(file, at, offset, length, ByteBuffer.wrap(bytes)));
        at += HEAD_BYTES + bytes.length;
      }
    } catch (EOFException end) {
      // Of the journal.
    }
  }

  private static long next(DataInputStream in) throws IOException {
    long value = in.readLong();
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
  }

  private Map<Id, Path> names() throws IOException {
    Map<Id, Path> names = new HashMap<>();
    try (Stream<Path> all = Files.walk(below)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        FileTime born = Files.readAttributes(file, BasicFileAttributes.class).creationTime();
        long inode = (Long) Files.getAttribute(file, "unix:ino");
        names.put(new Id(inode, born.to(TimeUnit.NANOSECONDS)), file);
      }
    }
    return names;
  }
}
