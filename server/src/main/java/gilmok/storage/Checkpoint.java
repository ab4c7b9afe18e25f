package gilmok.storage;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A small file that is only ever replaced as a whole: written beside, forced, renamed, the folder
 * forced, so that a crash leaves the old one or the new one. Its last four bytes are a CRC32C of
 * all before; a file that fails it reads as missing, and {@link #isThere} tells the two apart.
 *
 * <p>Not thread-safe: one thread writes a checkpoint.
 */
public record Checkpoint(Disk disk, Path path) {
  private static final int BUFFER_BYTES = 1 << 16;

  /** Writes the content of a checkpoint. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of it; what it throws leaves the old content in force. */
    void writeTo(DataOutputStream out) throws IOException, InterruptedException;
  }

  /** Reads the content of a checkpoint. */
  @FunctionalInterface
  public interface Reading<T> {
    /** Reads all of it, to the last byte. */
    T readFrom(DataInputStream in) throws IOException;
  }

  /** Whether there is a file, sound or not. */
  public boolean isThere() throws IOException {
    return disk.list(folder()).contains(name());
  }

  /** Replaces the content; durable on return. */
  public void replace(Content content) throws IOException, InterruptedException {
    Path beside = path.resolveSibling(name() + ".tmp");
    if (disk.list(folder()).contains(name() + ".tmp")) {
      disk.delete(beside);
    }
    try (Disk.File file = disk.create(beside)) {
      FileOutput output = new FileOutput(file);
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

  /** Deletes it, durably; nothing happens when there is none. */
  public void delete() throws IOException {
    if (isThere()) {
      disk.delete(path);
    }
    disk.forceFolder(folder());
  }

  /** Reads the content; null when there is none, or none that is sound. */
  public <T> @Nullable T read(Reading<T> reading) throws IOException {
    if (!isThere()) {
      return null;
    }
    try (Disk.File file = disk.openForReading(path)) {
      // Whoever reads is shown only what was written: of anything else it can make anything.
      if (!isSound(file)) {
        return null;
      }
      DataInputStream in = new DataInputStream(new FileInput(file));
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
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    CRC32C sum = new CRC32C();
    for (long at = 0; at < length; ) {
      buffer.clear().limit((int) Math.min(BUFFER_BYTES, length - at));
      if (file.read(buffer, at) <= 0) {
        return false;
      }
      at += buffer.position();
      sum.update(buffer.flip());
    }
    ByteBuffer said = file.read(length, Integer.BYTES);
    return said.limit() == Integer.BYTES && said.getInt(0) == (int) sum.getValue();
  }

  /** The content as bytes; null when there is none, or none that is sound. */
  public byte @Nullable [] readBytes() throws IOException {
    if (!isThere()) {
      return null;
    }
    ByteBuffer all;
    try (Disk.File file = disk.openForReading(path)) {
      all = file.read(0, Math.toIntExact(file.size()));
    }
    int length = all.limit() - Integer.BYTES;
    if (length < 0) {
      return null;
    }
    byte[] content = new byte[length];
    all.get(content);
    CRC32C sum = new CRC32C();
    sum.update(content);
    return all.getInt(length) == (int) sum.getValue() ? content : null;
  }

  private Path folder() {
    Path parent = path.getParent();
    return parent == null ? Path.of(".") : parent;
  }

  private String name() {
    return path.getFileName().toString();
  }

  private static final class FileOutput extends OutputStream {
    private final Disk.File file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long position;

    FileOutput(Disk.File file) {
      this.file = file;
    }

    @Override
    public void write(int value) throws IOException {
      if (!buffer.hasRemaining()) {
        flush();
      }
      buffer.put((byte) value);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      int done = 0;
      while (done < length) {
        if (!buffer.hasRemaining()) {
          flush();
        }
        int part = Math.min(buffer.remaining(), length - done);
        buffer.put(source, offset + done, part);
        done += part;
      }
    }

    @Override
    public void flush() throws IOException {
      buffer.flip();
      int length = buffer.remaining();
      file.write(buffer, position);
      position += length;
      buffer.clear();
    }
  }

  private static final class FileInput extends InputStream {
    private final Disk.File file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    private long position;

    FileInput(Disk.File file) {
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      return fill() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (!fill()) {
        return -1;
      }
      int part = Math.min(length, buffer.remaining());
      buffer.get(target, offset, part);
      return part;
    }

    private boolean fill() throws IOException {
      if (buffer.hasRemaining()) {
        return true;
      }
      buffer.clear();
      int count = file.read(buffer, position);
      position += Math.max(0, count);
      buffer.flip();
      return count > 0;
    }
  }
}
