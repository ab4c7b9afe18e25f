package gilmok.ledger;

import gilmok.log.Stream;

/** Collects a record anew that had been set aside. What collecting answers this with. */
@FunctionalInterface
public interface Recollector {
  /**
   * Decodes one record and has it stored; waits until it is on disk.
   *
   * @param stream what it is meant for
   * @param json the record as {@code POST /v1/…} takes it
   */
  Result collect(Stream stream, byte[] json) throws InterruptedException;

  /** What became of it. */
  sealed interface Result {}

  /** It is on disk under that sequence. */
  record Stored(long sequence) implements Result {}

  /** It was on disk before. */
  record Repeated() implements Result {}

  /** It cannot be used. */
  record Unusable(String field, String reason) implements Result {}

  /**
   * The log does not take it now.
   *
   * @param isFull the log has no room; else it is only busy, or stops
   */
  record NotTaken(boolean isFull) implements Result {}
}
