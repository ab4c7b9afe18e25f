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
  /** The fastest level that still finds repetitions between lines. */
  private static final int LEVEL = 1;

  /** This many bytes are compressed at once, as each call goes into native code. */
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
    // Closing an unfinished file writes an end, only to free native memory: the disk may be full,
    // and the file is deleted in any case.
    try (out) {
      zstd.closeWithoutClosingParentStream();
    }
  }
}
