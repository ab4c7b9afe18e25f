package gilmok.http;

/** Shows one event loop. Called on that loop; it must not block and not allocate. */
interface LoopMeter {
  /** Shows nothing. */
  LoopMeter NONE = new LoopMeter() {};

  /** How late a scheduled task ran; measured ten times a second while there are connections. */
  default void lag(long nanos) {}

  /** The loop has no connections: nothing is measured until it has one. */
  default void rests() {}

  /** How long a task that another thread handed over waited for its run. */
  default void taskWaited(long nanos) {}
}
