package gilmok.log;

/**
 * The four bytes in front of every record: in the upper 8 bits its stream and what a rewriting made
 * of it, in the lower 24 the length of what follows. See the package's page.
 */
final class RecordFrame {
  static final int BYTES = AppendBatch.FRAME_BYTES;

  /** The length of the key in front of what a rewriting left. */
  static final int KEY_BYTES = 16;

  private static final int ERASED = 0x80;
  private static final int REPLACED = 0x40;
  private static final int STREAM = 0x3f;

  private RecordFrame() {}

  /** Whether it is a frame at all. */
  static boolean isSound(int frame) {
    int kind = kind(frame);
    return Stream.isKnown(frame >>> 24 & STREAM)
        && kind != (ERASED | REPLACED)
        && (kind == 0 || length(frame) >= KEY_BYTES)
        && (kind != ERASED || length(frame) == KEY_BYTES);
  }

  static Stream stream(int frame) {
    return Stream.of(frame >>> 24 & STREAM);
  }

  /** How many bytes follow, with the key. */
  static int length(int frame) {
    return frame & AppendBatch.RECORD_BYTES_MAX;
  }

  /** Whether it is a tombstone: only the key follows. */
  static boolean isErased(int frame) {
    return kind(frame) == ERASED;
  }

  /** Whether the key follows that the record was appended with. */
  static boolean hasKey(int frame) {
    return kind(frame) != 0;
  }

  /** The frame of a tombstone. */
  static int erased(Stream stream) {
    return (ERASED | stream.code()) << 24 | KEY_BYTES;
  }

  /** The frame of a record that has got other bytes. */
  static int replaced(Stream stream, int length) {
    if (length < 1 || length > AppendBatch.RECORD_BYTES_MAX - KEY_BYTES) {
      throw new IllegalArgumentException("a replacement of " + length + " bytes");
    }
    return (REPLACED | stream.code()) << 24 | (KEY_BYTES + length);
  }

  private static int kind(int frame) {
    return frame >>> 24 & ~STREAM;
  }
}
