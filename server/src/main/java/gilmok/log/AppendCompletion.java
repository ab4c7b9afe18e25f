package gilmok.log;

/**
 * The completion of one append: called when its records are durable. {@link Log#append} sets the
 * sequences; the log calls {@link #durable} once all records of the append, and the originals of
 * its repeats, are on disk.
 */
public abstract class AppendCompletion {
  private long first;
  private int stored;
  private long given;
  private long begunNanos;
  private long durableNanos;

  /** A completion that runs {@code durable}, which must return quickly. */
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
   * The last sequence that was given to any record by then: this append's own records and the
   * originals of its repeats are among those up to it.
   */
  public final long given() {
    return given;
  }

  /** When the writer began with the group of this append, by {@link System#nanoTime}. */
  public final long begunNanos() {
    return begunNanos;
  }

  /** When the group of this append was on disk, by {@link System#nanoTime}. */
  public final long durableNanos() {
    return durableNanos;
  }

  /**
   * All records of the append are on disk. Called once, on the log's writer thread, which must not
   * be held up: hand over and return.
   */
  protected abstract void durable();

  final void durable(long begun, long durable) {
    begunNanos = begun;
    durableNanos = durable;
    durable();
  }

  final void stored(long first, int count, long given) {
    this.first = first;
    this.stored = count;
    this.given = given;
  }
}
