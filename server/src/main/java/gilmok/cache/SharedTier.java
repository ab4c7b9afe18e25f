package gilmok.cache;

import org.jspecify.annotations.Nullable;

/**
 * Where the processes of a fleet keep what one of them loaded, and agree who loads. Every value has
 * a version: the token of the lease under which it was loaded. Thread-safe; all methods block for a
 * short time that is bounded, and never fail: a place that does not answer is {@link Away}.
 */
public interface SharedTier {
  /** No value's version, and no lease's token. */
  long NONE = 0;

  /** What came of asking. */
  sealed interface Told {}

  /**
   * A value that another process loaded.
   *
   * @param bytes the codec's; not copied
   * @param deltaNanos how long its load took
   * @param leftNanos for how long it is fresh from when it came
   * @param version what {@link #ask} is told by whoever holds it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Found(byte[] bytes, long deltaNanos, long leftNanos, long version) implements Told {}

  /** The asker is to load it, and to {@link #put} it under this token. */
  record Leased(long token) implements Told {}

  /** Another process loads it. */
  record Taken() implements Told {}

  /** What is there is no value of ours. */
  record Garbled() implements Told {}

  /** There is no answer. */
  record Away() implements Told {}

  /**
   * What the asker holds: a version, and for how many nanoseconds it is fresh; 0 when it is old.
   */
  record Held(long version, long leftNanos) {}

  /**
   * A value that is newer than the one held, or the lease if nobody has it, in one step.
   *
   * @param held null when there is none
   */
  Told ask(String key, @Nullable Held held) throws InterruptedException;

  /** Deletes the value and takes the lease, whoever has it, in one step: leased, or away. */
  Told reset(String key) throws InterruptedException;

  /** Stores a value if its lease is still held, which ends the lease. */
  void put(String key, long token, long deltaNanos, byte[] bytes) throws InterruptedException;

  /** Ends a lease, if it is still held, without a value. */
  void release(String key, long token) throws InterruptedException;

  /**
   * Deletes the value and the lease, so that no load that began before is stored.
   *
   * @return whether that is certain
   */
  boolean forget(String key) throws InterruptedException;
}
