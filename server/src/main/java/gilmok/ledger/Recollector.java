package gilmok.ledger;

import gilmok.log.Stream;

/** Collects a quarantined record again. Implemented by collecting. */
@FunctionalInterface
public interface Recollector {
  /**
   * Decodes one record and has it stored; waits until it is on disk.
   *
   * @param stream the stream that the record is meant for
   * @param json the record as {@code POST /v1/…} takes it
   * @param quarantinedAtMillis when it arrived for the first time, epoch ms
   */
  Result collect(Stream stream, byte[] json, long quarantinedAtMillis) throws InterruptedException;

  /** The result of collecting a record. */
  sealed interface Result {}

  /** It is on disk under that sequence. */
  record Stored(long sequence) implements Result {}

  /** It was on disk before. */
  record Repeated() implements Result {}

  /** The record is not valid. */
  record Unusable(String field, String reason) implements Result {}

  /**
   * The log does not accept the record now.
   *
   * @param isFull whether the log has no room; if not, it is only busy, or closed
   */
  record NotTaken(boolean isFull) implements Result {}
}
