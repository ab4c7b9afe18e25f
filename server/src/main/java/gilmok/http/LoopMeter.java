package gilmok.http;

/** Shows one event loop. Called on that loop; it must not block and not allocate. */
interface LoopMeter {
  /** Shows nothing. */
  LoopMeter NONE = new LoopMeter() {};

  /** How late a scheduled task ran; measured ten times a second. */
  default void lag(long nanos) {}

  /** How long a task that another thread handed over waited for its run. */
  default void taskWaited(long nanos) {}
}
