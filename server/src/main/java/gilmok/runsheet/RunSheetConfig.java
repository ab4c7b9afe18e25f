package gilmok.runsheet;

import gilmok.config.Settings;

/**
 * Settings of planning. Immutable.
 *
 * @param workers how many plans are made at once
 * @param queueMax how many more requests may be in flight, most of them waiting for a worker
 * @param process where plans are made
 */
public record RunSheetConfig(int workers, int queueMax, Place process) {
  /** Where plans are made. */
  public enum Place {
    /** In a child process with a low priority and a heap of its own. */
    CHILD,
    /** In the server's process, on threads with a low priority. */
    INSIDE
  }

  /** The memory that one plan may need. */
  static final long PLAN_BYTES_MAX = 256L << 20;

  /** The memory that the process needs besides its plans. */
  private static final long BASE_BYTES = 64L << 20;

  /** Reads the keys {@code run-sheets.*}. */
  public static RunSheetConfig from(Settings settings) {
    return new RunSheetConfig(
        settings.number("run-sheets.workers", 2, 1, 64),
        settings.number("run-sheets.queue-max", 64, 0, 10_000),
        settings.choice("run-sheets.process", Place.CHILD));
  }

  /** The heap limit of a child process, in MiB. */
  public long childHeapMebibytes() {
    return (BASE_BYTES + workers * PLAN_BYTES_MAX) >> 20;
  }
}
