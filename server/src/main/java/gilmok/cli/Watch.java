package gilmok.cli;

/** The time, and waits that can be ended early. Safe for all threads. */
interface Watch {
  /** A monotonic time in nanoseconds. */
  long nanos();

  /** Waits; returns early, with false, when everything is to stop. */
  boolean rest(long nanos) throws InterruptedException;

  /** Whether everything is to stop. */
  boolean isStopped();
}
