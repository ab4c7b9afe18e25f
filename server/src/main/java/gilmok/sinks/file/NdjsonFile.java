package gilmok.sinks.file;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import gilmok.event.JsonBuffer;
import gilmok.sinks.Batch;
import gilmok.sinks.ShippedLine;
import gilmok.storage.FileOutput;
import java.io.IOException;

/** One JSON object a line, in one zstd frame. Not thread-safe: owned by the sink's sender. */
final class NdjsonFile implements RecordFile {
  /** The quickest level that still finds what repeats from line to line. */
  private static final int LEVEL = 1;

  /** So many bytes go to zstd at once: it is a call into native code. */
  private static final int LINES_BYTES_MAX = 128 << 10;

  private final FileOutput out;
  private final ZstdOutputStreamNoFinalizer zstd;
  private final ShippedLine line = new ShippedLine();
  private final JsonBuffer lines = new JsonBuffer();
  private long records;
  private long plainBytes;

  NdjsonFile(FileOutput out) throws IOException {
    this.out = out;
    zstd = new ZstdOutputStreamNoFinalizer(out, RecyclingBufferPool.INSTANCE, LEVEL);
    zstd.setChecksum(true);
  }

  @Override
  public void write(Batch batch, int i) throws IOException {
    int before = lines.size();
    line.write(batch, i, lines);
    lines.put('\n');
    plainBytes += lines.size() - before;
    records++;
    if (lines.size() >= LINES_BYTES_MAX) {
      compress();
    }
  }

  private void compress() throws IOException {
    zstd.write(lines.bytes(), 0, lines.size());
    lines.clear();
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long plainBytes() {
    return plainBytes;
  }

  @Override
  public void finish() throws IOException {
    compress();
    zstd.closeWithoutClosingParentStream();
    out.force();
  }

  @Override
  public void close() throws IOException {
    // Of a file that is not whole it writes the end to let go of its native memory: the disk may
    // be full, and the file is deleted in any case.
    try (out) {
      zstd.closeWithoutClosingParentStream();
    }
  }
}
