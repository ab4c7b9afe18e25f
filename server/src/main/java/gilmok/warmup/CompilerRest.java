package gilmok.warmup;

/**
 * When a warm-up waits for Java's compiler, and how long: until the compiler has used less than a
 * share of a processor in several windows in a row.
 *
 * @param share of a processor
 * @param windows how many windows in a row
 * @param windowsMax after so many windows nobody waits any longer
 */
record CompilerRest(double share, int windows, int windowsMax) {
  /**
   * Between bursts. One of the compiler's threads may go on with a long method while the next burst
   * has the other processor: waiting for it too leaves a processor idle.
   */
  static final CompilerRest BETWEEN_BURSTS = new CompilerRest(0.6, 1, 12);

  /** At the end. The first requests would share the processors with it. */
  static final CompilerRest AT_THE_END = new CompilerRest(0.15, 3, 30);
}
