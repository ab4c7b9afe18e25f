package gilmok.log;

/** Computes the 128-bit key of a stored record, to rebuild the deduplication table at the start. */
@FunctionalInterface
public interface RecordKeys {
  /**
   * Writes the key that the record was appended with.
   *
   * @param key receives the upper and the lower half
   */
  void key(Stream stream, byte[] bytes, int offset, int length, long[] key);
}
