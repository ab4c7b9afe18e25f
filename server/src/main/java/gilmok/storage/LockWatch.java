package gilmok.storage;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks each second whether the data folder is still this process's. A loop of its own, which waits
 * for nothing else: whoever took the folder may be writing already.
 */
public final class LockWatch {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private LockWatch() {}

  /**
   * Begins to look.
   *
   * @param onFailure is told that the log has failed for good
   */
  public static BackgroundLoop begin(
      DataFolder folder, BackgroundLoops loops, Consumer<Throwable> onFailure) {
    BackgroundLoop loop =
        loops.needed(
            "data-folder",
            "nobody looks whether another has taken the data folder",
            () -> {
              try {
                folder.checkHeld();
              } catch (DataFolder.TakenException taken) {
                // Nothing more is written here, not even a footer: the process is to end.
                onFailure.accept(taken);
              }
              return LOOK_NANOS;
            });
    loop.start();
    return loop;
  }
}
