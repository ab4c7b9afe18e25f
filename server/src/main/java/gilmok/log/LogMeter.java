package gilmok.log;

/** Is told of every commit. Called on the log's writer thread, which must not be held up. */
public interface LogMeter {
  /** Hears nothing. */
  LogMeter NONE = commit -> {};

  /** A group is on disk. The argument is reused for the next one. */
  void committed(Commit commit);

  /** What a commit was. Times in nanoseconds. */
  interface Commit {
    /** How many records of the stream it made durable. */
    int records(Stream stream);

    /** How many records in all. */
    int records();

    /** Bytes written, the header included. */
    int bytes();

    /** How long the write took. */
    long writeNanos();

    /** How long the fsync took. */
    long fsyncNanos();

    /** From the group's first append to durable. */
    long appendNanos();
  }
}
