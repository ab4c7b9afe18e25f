package gilmok.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * A file that is written from its beginning to its end.
 *
 * <p>Not thread-safe: owned by one thread.
 */
public final class FileOutput extends OutputStream {
  private final Disk.File file;
  private final ByteBuffer buffer;
  private long position;

  /**
   * The output of a new file.
   *
   * @param buffer holds the bytes on their way to the file; it may be used elsewhere between two
   *     calls
   */
  public FileOutput(Disk.File file, ByteBuffer buffer) {
    this.file = file;
    this.buffer = buffer;
  }

  /** How many bytes were written. */
  public long position() {
    return position;
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int part = Math.min(buffer.capacity(), length - done);
      buffer.clear().put(source, offset + done, part).flip();
      file.write(buffer, position);
      position += part;
      done += part;
    }
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value});
  }

  /** Makes everything written durable. */
  public void force() throws IOException {
    file.force();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
