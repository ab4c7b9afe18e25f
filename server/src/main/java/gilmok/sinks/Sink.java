package gilmok.sinks;

import org.jspecify.annotations.Nullable;

/**
 * A place where records are shipped: what differs from one destination to the next. Reading,
 * batching, retrying and accounting are the {@link Shipper}'s.
 *
 * <p>{@link #send} is called from up to {@code max-concurrency} threads at once, by one at a time
 * if {@link #isOrdered}; everything else by one thread.
 */
public interface Sink extends AutoCloseable {
  /** The kind of destination, as in {@code firehose}. */
  String kind();

  /** Whether the records of one rider arrive in the order in which they were collected. */
  boolean isOrdered();

  /**
   * Sends a batch and says what became of it. Blocks until the destination has answered or a
   * timeout of the sink's own has passed. An outage is a verdict; an exception is a bug and taken
   * as {@link Verdict.Retry}.
   *
   * @throws InterruptedException when the server stops: nothing is known of the batch
   */
  Verdict send(Batch batch) throws InterruptedException;

  /**
   * Says what became of all batches that it answered with {@link Verdict.Held}: {@link
   * Verdict.Done} or {@link Verdict.Retry}; null while it goes on holding them. Asked after each
   * batch and at least each time that a batch could have been ripe. Only for sinks that are
   * ordered.
   *
   * @param now hold nothing any longer: the server stops, or the sink is paused or rewound
   */
  default @Nullable Verdict release(boolean now) throws InterruptedException {
    return null;
  }

  /** Forgets what it holds: it will be sent again from the log. */
  default void discard() {}

  /**
   * Tries whether the destination is there, and sends it nothing: opens what the first batch would
   * have to. Blocks for no longer than a timeout of the sink's own. From any thread, also while
   * batches are sent.
   *
   * @return what is wrong, for people and without anything secret; null when nothing is known to be
   */
  default @Nullable String probe() throws InterruptedException {
    return null;
  }

  /** Lets go of connections and files. What is still held is forgotten. */
  @Override
  void close();
}
