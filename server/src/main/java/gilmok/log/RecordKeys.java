package gilmok.log;

/** Tells the 128-bit key of a stored record again, to rebuild the table of repeats at start. */
@FunctionalInterface
public interface RecordKeys {
  /**
   * Writes the key that the record was appended with.
   *
   * @param key receives the upper and the lower half
   */
  void key(Stream stream, byte[] bytes, int offset, int length, long[] key);
}
