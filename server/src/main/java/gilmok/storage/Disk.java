package gilmok.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * What the log asks of a file system, and no more, so that tests can put one under it that fails,
 * fills up, or forgets on "power loss" all that was not forced.
 *
 * <p>The rules every implementation keeps: bytes written are certain to outlive a power loss only
 * after {@link File#force}; a created, renamed or deleted name only after {@link #forceFolder} of
 * its folder. Before that either may be there or not, whole or in part. After a force that failed,
 * a later one makes nothing durable that was written before: only what is written again. A folder's
 * names are in the file system's journal, which stops at an error and forgets none. What cannot be
 * written for lack of room fails with {@link DiskFullException}. Thread-safe.
 */
public interface Disk {
  /** Makes a folder and those above it, durably; nothing happens when it is there. */
  void createFolder(Path folder) throws IOException;

  /** The names of the files in a folder, in no order. */
  List<String> list(Path folder) throws IOException;

  /** Makes a new, empty file. */
  File create(Path path) throws IOException;

  /** Opens a file that is there, for reading and writing. */
  File open(Path path) throws IOException;

  /** Opens a file that is there, for reading. */
  File openForReading(Path path) throws IOException;

  /** Gives a file another name in the same folder, in place of what had that name. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file. */
  void delete(Path path) throws IOException;

  /** Makes the names in a folder durable. */
  void forceFolder(Path folder) throws IOException;

  /**
   * Opens a folder whose names are to be made durable again and again: that takes no descriptor
   * then, which there may be none of when it counts.
   */
  default OpenFolder openFolder(Path folder) throws IOException {
    return new OpenFolder() {
      @Override
      public void force() throws IOException {
        forceFolder(folder);
      }

      @Override
      public void close() {
        // Nothing is held open.
      }
    };
  }

  /** An open folder. */
  interface OpenFolder extends AutoCloseable {
    /** Makes the names in it durable. */
    void force() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** An open file. Positions and sizes are in bytes. */
  interface File extends AutoCloseable {
    /** Writes all that remains in the source. */
    void write(ByteBuffer source, long position) throws IOException;

    /** Reads what is there, up to what the target takes; -1 at the end of the file. */
    int read(ByteBuffer target, long position) throws IOException;

    /** What is there from a position on, up to that length, ready to be taken out. */
    default ByteBuffer read(long position, int length) throws IOException {
      ByteBuffer target = ByteBuffer.allocate(length);
      while (target.hasRemaining() && read(target, position + target.position()) >= 0) {
        // Until it is full.
      }
      return target.flip();
    }

    /** Makes everything written so far durable (fdatasync). */
    void force() throws IOException;

    /** The file's length. */
    long size() throws IOException;

    @Override
    void close() throws IOException;
  }
}
