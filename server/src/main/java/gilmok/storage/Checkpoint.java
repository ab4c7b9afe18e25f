package gilmok.storage;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A small file that is only replaced as a whole: the new content is written beside it, forced,
 * renamed, and the folder forced, so that a crash leaves the old or the new content. The last four
 * bytes are a CRC32C of all before. A file with a wrong checksum reads as missing; {@link #isThere}
 * tells the two apart.
 *
 * <p>Not thread-safe: one thread writes a checkpoint.
 */
public record Checkpoint(Disk disk, Path path) {
  private static final int BUFFER_BYTES = 1 << 16;

  /** Writes the content of a checkpoint. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of the content; if it throws, the old content stays. */
    void writeTo(DataOutputStream out) throws IOException, InterruptedException;
  }

  /** Reads the content of a checkpoint. */
  @FunctionalInterface
  public interface Reading<T> {
    /** Reads all of the content, to the last byte. */
    T readFrom(DataInputStream in) throws IOException;
  }

  /** Whether there is a file, sound or not. */
  public boolean isThere() throws IOException {
    return disk.list(folder()).contains(name());
  }

  /**
   * Replaces the content; durable on return. Gives up what was kept with {@link #keepRoom}, so it
   * works on a full disk, too.
   */
  public void replace(Content content) throws IOException, InterruptedException {
    Path beside = beside();
    deleteBeside();
    try (Disk.File file = disk.create(beside)) {
      OutputStream output = new FileOutput(file, ByteBuffer.allocate(BUFFER_BYTES));
      output = new BufferedOutputStream(output, BUFFER_BYTES);
      CheckedOutputStream checked = new CheckedOutputStream(output, new CRC32C());
      DataOutputStream out = new DataOutputStream(checked);
      content.writeTo(out);
      out.writeInt((int) checked.getChecksum().getValue());
      output.flush();
      file.force();
    }
    disk.rename(beside, path);
    disk.forceFolder(folder());
  }

  /**
   * Keeps so much of the disk for the next {@link #replace}. A crash may take it back. Not durable,
   * as nothing is read from it.
   */
  public void keepRoom(int bytes) throws IOException {
    deleteBeside();
    try (Disk.File file = disk.create(beside())) {
      file.write(ByteBuffer.allocate(bytes), 0);
    }
  }

  private Path beside() {
    return path.resolveSibling(name() + ".tmp");
  }

  private void deleteBeside() throws IOException {
    if (disk.list(folder()).contains(name() + ".tmp")) {
      disk.delete(beside());
    }
  }

  /** Deletes the file, durably; does nothing when there is none. */
  public void delete() throws IOException {
    deleteBeside();
    if (isThere()) {
      disk.delete(path);
    }
    disk.forceFolder(folder());
  }

  /** Reads the content; null when the file is missing or damaged. */
  public <T> @Nullable T read(Reading<T> reading) throws IOException {
    if (!isThere()) {
      return null;
    }
    try (Disk.File file = disk.openForReading(path)) {
      // A reader gets only the bytes that were written; from damaged ones it could read anything.
      if (!isSound(file)) {
        return null;
      }
      DataInputStream in = new DataInputStream(input(file));
      T value = reading.readFrom(in);
      in.readInt(); // the sum, of which isSound has read all before
      return in.read() < 0 ? value : null;
    } catch (EOFException cutShort) {
      return null;
    }
  }

  private static boolean isSound(Disk.File file) throws IOException {
    long length = file.size() - Integer.BYTES;
    if (length < 0) {
      return false;
    }
    CheckedInputStream summed = new CheckedInputStream(input(file), new CRC32C());
    summed.skipNBytes(length);
    int sum = (int) summed.getChecksum().getValue();
    return new DataInputStream(summed).readInt() == sum;
  }

  /** The content as bytes; null when the file is missing or damaged. */
  public byte @Nullable [] readBytes() throws IOException {
    if (!isThere()) {
      return null;
    }
    try (Disk.File file = disk.openForReading(path)) {
      return isSound(file)
          ? file.read(0, Math.toIntExact(file.size() - Integer.BYTES)).array()
          : null;
    }
  }

  private Path folder() {
    Path parent = path.getParent();
    return parent == null ? Path.of(".") : parent;
  }

  private String name() {
    return path.getFileName().toString();
  }

  private static InputStream input(Disk.File file) {
    InputStream input =
        new InputStream() {
          private long position;

          @Override
          public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            int count = file.read(ByteBuffer.wrap(target, offset, length), position);
            position += Math.max(0, count);
            return count > 0 ? count : -1;
          }
        };
    return new BufferedInputStream(input, BUFFER_BYTES);
  }
}
