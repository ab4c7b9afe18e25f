package gilmok.log;

/**
 * Decides, for each record that a {@link LogRewriter} comes to, whether it stays, is erased, or is
 * replaced. It is not asked about what is erased already. The same record may be asked about more
 * than once, and must get the same answer; of a record that was replaced before, the replacement is
 * asked about.
 */
@FunctionalInterface
public interface RecordRewrite {
  /** The record stays as it is. */
  Outcome KEEP = new Outcome.Kept();

  /** Nothing is left of the record but its tombstone. */
  Outcome ERASE = new Outcome.Erased();

  /** What becomes of the record in these bytes, which the method must not keep. */
  Outcome of(Stream stream, long receivedAtMillis, byte[] bytes, int offset, int length);

  /** The record's bytes are replaced by others; sequence, stream and key stay. */
  static Outcome replaceBy(byte[] bytes) {
    return new Outcome.Replaced(bytes);
  }

  /** What becomes of a record. */
  sealed interface Outcome {
    /** It stays. */
    record Kept() implements Outcome {}

    /** It becomes a tombstone. */
    record Erased() implements Outcome {}

    /** It gets other bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Replaced(byte[] bytes) implements Outcome {}
  }
}
