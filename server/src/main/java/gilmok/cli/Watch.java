package gilmok.cli;

/** The time, and waiting that can be told to end. Safe for all threads. */
interface Watch {
  /** Nanoseconds since some moment. */
  long nanos();

  /** Waits; returns early, with false, when everything is to stop. */
  boolean rest(long nanos) throws InterruptedException;

  /** Whether everything is to stop. */
  boolean isStopped();
}
