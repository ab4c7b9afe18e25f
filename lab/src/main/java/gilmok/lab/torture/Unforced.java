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
 * Simulates a disk that loses everything not forced, where no file system can be mounted. A small
 * library, preloaded into the server, records the old content of what the server overwrites, and
 * what it has forced; after a kill all writes that were not forced are undone. Changes of file
 * names are not undone. Not thread-safe; blocks.
 */
final class Unforced {
  private static final long FORCED = 2;
  private static final int HEAD_BYTES = 64;

  private final Path journal;
  private final Path library;
  private final Path below;

  /** A disk for the files below a folder, which must exist when a server starts. */
  Unforced(Path work, Path below) {
    this.journal = work.resolve("unforced");
    this.library = work.resolve("forget.so");
    this.below = below;
  }

  /** Prepares it; called once, before the first start. */
  void use() throws IOException, InterruptedException {
    Preloaded.compile(library);
  }

  /** The environment variables that the server's process needs. */
  Map<String, String> environment() {
    return Map.of(
        Preloaded.VARIABLE,
        library.toString(),
        "TORTURE_FORGET",
        journal.toString(),
        "TORTURE_BELOW",
        below.toString());
  }

  /** The identity of a file, whatever its name is now. */
  private record Id(long inode, long bornNanos) {}

  /** The old content of a range before a write. */
  private record Before(Id file, long at, long offset, long length, ByteBuffer bytes) {}

  /**
   * Undoes all writes that were not forced. No process may have a file open.
   *
   * @return the number of undone writes
   * @throws DidNotTakeException when nothing was recorded since the last time
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
    // It is written through a mapping and never forced.
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

  /** Receives the entries of the journal. */
  @FunctionalInterface
  private interface Taker {
    void take(long kind, Before entry);
  }

  /**
   * Reads the journal. A kill may have cut its last entry short; the write of that entry had not
   * begun.
   */
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
      // The end of the journal.
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
