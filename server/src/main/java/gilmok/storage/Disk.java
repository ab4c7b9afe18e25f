package gilmok.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The few operations that the log needs of a file system, so that tests can use one that fails,
 * fills up, or loses at a "power loss" all that was not forced.
 *
 * <p>Rules for every implementation: bytes survive a power loss for certain only after {@link
 * File#force}; a created, renamed or deleted name only after {@link #forceFolder} of its folder.
 * Before that, either may survive or not, whole or in part. After a failed force, no later one
 * makes the bytes from before durable, unless they are written again. A folder's names are in the
 * file system's journal, which stops at an error and loses none. A write without room fails with
 * {@link DiskFullException}. Thread-safe.
 */
public interface Disk {
  /** Makes a folder and its parents, durably; does nothing when it exists. */
  void createFolder(Path folder) throws IOException;

  /** The names of the files in a folder, in no order. */
  List<String> list(Path folder) throws IOException;

  /** Makes a new, empty file. */
  File create(Path path) throws IOException;

  /** Opens an existing file for reading and writing. */
  File open(Path path) throws IOException;

  /** Opens an existing file for reading. */
  File openForReading(Path path) throws IOException;

  /** Renames a file within its folder; it replaces a file that has the new name. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file. */
  void delete(Path path) throws IOException;

  /** Makes the names in a folder durable. */
  void forceFolder(Path folder) throws IOException;

  /**
   * Opens a folder whose names are made durable again and again. Later forces need no file
   * descriptor then: there may be none left when it matters.
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
    /** Makes the names in the folder durable. */
    void force() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** An open file. Positions and sizes are in bytes. */
  interface File extends AutoCloseable {
    /** Writes all remaining bytes of the source. */
    void write(ByteBuffer source, long position) throws IOException;

    /** Reads at most as many bytes as the target has room for; -1 at the end of the file. */
    int read(ByteBuffer target, long position) throws IOException;

    /**
     * Reads at most {@code length} bytes from a position, into a buffer that is ready to be read.
     */
    default ByteBuffer read(long position, int length) throws IOException {
      ByteBuffer target = ByteBuffer.allocate(length);
      while (target.hasRemaining() && read(target, position + target.position()) >= 0) {
        // Reads until the target is full.
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
