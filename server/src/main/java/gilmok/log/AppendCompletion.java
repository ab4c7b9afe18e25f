package gilmok.log;

/**
 * One append's wait for its fsync. The log fills in the sequences at {@link Log#append} and calls
 * {@link #durable} once everything of it, and the originals of its repeats, are on disk.
 */
public abstract class AppendCompletion {
  private long first;
  private int stored;

  /** One that only tells that everything is on disk, by that, which must be quick. */
  public static AppendCompletion of(Runnable durable) {
    return new AppendCompletion() {
      @Override
      protected void durable() {
        durable.run();
      }
    };
  }

  /** The sequence of the first record stored; 0 when all were repeats. */
  public final long first() {
    return first;
  }

  /** How many records were stored, under the sequences from {@link #first} on without a gap. */
  public final int stored() {
    return stored;
  }

  /**
   * Everything is on disk. Called once, on the log's writer thread, which must not be held up: hand
   * over and return.
   */
  protected abstract void durable();

  final void stored(long first, int count) {
    this.first = first;
    this.stored = count;
  }
}
