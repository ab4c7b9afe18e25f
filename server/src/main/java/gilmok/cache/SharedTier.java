package gilmok.cache;

import org.jspecify.annotations.Nullable;

/**
 * A second cache that the processes of a fleet share, with leases that decide which process loads.
 * The version of a value is the token of the lease under which it was loaded. Thread-safe. All
 * methods block for a short, bounded time. They never fail: without an answer the result is {@link
 * Away}.
 */
public interface SharedTier {
  /** Stands for no version and no token; never the version of a value or the token of a lease. */
  long NONE = 0;

  /** The result of {@link #ask} or {@link #reset}. */
  sealed interface Told {}

  /**
   * A value that another process loaded.
   *
   * @param bytes the encoded value; not copied
   * @param deltaNanos how long its load took
   * @param leftNanos how long it is fresh, from the arrival of this answer
   * @param version its version, for {@link Held} in later calls of {@link #ask}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Found(byte[] bytes, long deltaNanos, long leftNanos, long version) implements Told {}

  /** The caller got the lease: it has to load the value and {@link #put} it under this token. */
  record Leased(long token) implements Told {}

  /** Another process holds the lease and loads the value. */
  record Taken() implements Told {}

  /** The stored bytes are not a value of this cache. */
  record Garbled() implements Told {}

  /** The tier did not answer. */
  record Away() implements Told {}

  /**
   * The value that the caller holds: its version, and how many nanoseconds it stays fresh; 0 when
   * it has expired.
   */
  record Held(long version, long leftNanos) {}

  /**
   * Gets a value that is newer than the one held; else takes the lease if it is free. One atomic
   * step.
   *
   * @param held the caller's value; null when it has none
   */
  Told ask(String key, @Nullable Held held) throws InterruptedException;

  /**
   * Deletes the value and takes the lease even if another process holds it, in one atomic step. The
   * result is {@link Leased} or {@link Away}.
   */
  Told reset(String key) throws InterruptedException;

  /** Stores a value and releases its lease; does nothing if the lease is no longer held. */
  void put(String key, long token, long deltaNanos, byte[] bytes) throws InterruptedException;

  /** Releases a lease without storing a value; does nothing if it is no longer held. */
  void release(String key, long token) throws InterruptedException;

  /**
   * Deletes the value and the lease, so that no load that began before can store its value.
   *
   * @return whether the deletion was acknowledged
   */
  boolean forget(String key) throws InterruptedException;

  /**
   * Tells the other processes that a key's source has changed, after {@link #forget}: they drop
   * what they hold of it in memory.
   *
   * @return whether it was acknowledged
   */
  boolean tell(String key) throws InterruptedException;

  /** Tells the other processes to drop everything; returns whether it was acknowledged. */
  boolean tellAll() throws InterruptedException;
}
