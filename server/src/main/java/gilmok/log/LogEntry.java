package gilmok.log;

import java.nio.ByteBuffer;

/**
 * The record or tombstone that a reader is at, in the reader's buffer.
 *
 * <p>Not thread-safe: owned by its reader.
 */
final class LogEntry {
  private int frame;
  Stream stream = Stream.TRACES;
  int offset;
  int length;

  /**
   * Moves to the one that begins there; false when none does.
   *
   * @param end where its batch ends
   */
  boolean read(ByteBuffer bytes, int at, int end) {
    frame = at + RecordFrame.BYTES <= end ? bytes.getInt(at) : 0;
    offset = at + RecordFrame.BYTES;
    length = RecordFrame.length(frame);
    if (!RecordFrame.isSound(frame) || offset + length > end) {
      return false;
    }
    stream = RecordFrame.stream(frame);
    if (RecordFrame.hasKey(frame)) {
      offset += RecordFrame.KEY_BYTES;
      length -= RecordFrame.KEY_BYTES;
    }
    return true;
  }

  boolean isErased() {
    return RecordFrame.isErased(frame);
  }

  /** Writes the key that it was appended with, also where the record has gone. */
  void key(RecordKeys keys, byte[] bytes, long[] key) {
    if (RecordFrame.hasKey(frame)) {
      key[0] = BigEndian.getLong(bytes, offset - RecordFrame.KEY_BYTES);
      key[1] = BigEndian.getLong(bytes, offset - Long.BYTES);
    } else {
      keys.key(stream, bytes, offset, length, key);
    }
  }
}
