package gilmok.sinks;

import org.jspecify.annotations.Nullable;

/**
 * A destination to which records are shipped: the part that differs between destinations. The
 * {@link Shipper} reads, batches, retries and accounts.
 *
 * <p>{@link #send} is called from up to {@code max-concurrency} threads at once, by one at a time
 * if {@link #isOrdered}; {@link #prepare} beside them; everything else by one thread, except {@link
 * #probe}.
 */
public interface Sink extends AutoCloseable {
  /** The kind of destination, as in {@code firehose}. */
  String kind();

  /** Whether the records of one rider arrive in the order in which they were collected. */
  boolean isOrdered();

  /**
   * Whether a record that counts as delivered survives the loss of any one machine: by the
   * destination's own promise, which only a setting with {@code unsafe} in its name weakens.
   */
  default boolean isDurable() {
    return false;
  }

  /**
   * Sends a batch and returns what became of it. Blocks until the destination has answered or a
   * timeout of the sink's own has passed. An outage is a verdict; an exception is a bug and handled
   * like {@link Verdict.Retry}.
   *
   * @throws InterruptedException when the server stops: the result for the batch is unknown
   */
  Verdict send(Batch batch) throws InterruptedException;

  /**
   * Does what can be done for a batch that is complete and waits for its turn, such as encoding it:
   * so the destination waits less. Called once by the loop, while {@link #send} may run for another
   * batch. The batch may never be sent, or not as a whole. What goes wrong shows when it is sent.
   */
  default void prepare(Batch batch) {}

  /**
   * Returns what became of all batches that were answered with {@link Verdict.Held}: {@link
   * Verdict.Done} or {@link Verdict.Retry}; null while the sink goes on holding them. Called after
   * each batch, and at least as often as a batch can become old enough. Only for ordered sinks.
   *
   * @param now hold nothing any longer: the server stops, or the sink is paused or rewound
   */
  default @Nullable Verdict release(boolean now) throws InterruptedException {
    return null;
  }

  /** Drops the held records: they will be sent again from the log. */
  default void discard() {}

  /**
   * Checks whether the destination is there, without sending it anything: opens what the first
   * batch would have to open. Blocks for no longer than a timeout of the sink's own. From any
   * thread, also while batches are sent.
   *
   * @return the problem, for the operator and without secrets; null when none is known
   */
  default @Nullable String probe() throws InterruptedException {
    return null;
  }

  /** Closes connections and files. Held records are dropped. */
  @Override
  void close();
}
