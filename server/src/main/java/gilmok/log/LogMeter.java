package gilmok.log;

/** Measures every commit. Called on the log's writer thread, which must not be held up. */
public interface LogMeter {
  /** Measures nothing. */
  LogMeter NONE = (group, writeNanos, fsyncNanos, appendNanos) -> {};

  /**
   * A group is on disk. The group is reused afterwards: keep no reference to it.
   *
   * @param writeNanos how long the write took
   * @param fsyncNanos how long the fsync took
   * @param appendNanos from the group's first append to durable
   */
  void committed(CommitGroup group, long writeNanos, long fsyncNanos, long appendNanos);
}
