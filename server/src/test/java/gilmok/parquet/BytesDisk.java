package gilmok.parquet;

import gilmok.log.ForwardingDisk;
import gilmok.storage.FileDisk;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A disk on which every file that is read has the same bytes. */
final class BytesDisk extends ForwardingDisk {
  private final byte[] bytes;

  BytesDisk(byte[] bytes) {
    super(new FileDisk());
    this.bytes = bytes;
  }

  @Override
  public File openForReading(Path path) {
    return new BytesFile();
  }

  private final class BytesFile implements File {
    @Override
    public void write(ByteBuffer source, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer target, long position) {
      if (position >= bytes.length) {
        return -1;
      }
      int count = Math.min(target.remaining(), bytes.length - (int) position);
      target.put(bytes, (int) position, count);
      return count;
    }

    @Override
    public void force() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
