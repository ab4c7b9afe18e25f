package gilmok.storage;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Checks each second whether this process still holds the data folder. It has a loop of its own, so
 * that no other work delays it: a process that took the folder may be writing already.
 */
public final class LockWatch {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private LockWatch() {}

  /**
   * Starts the check.
   *
   * @param onFailure called when the folder was taken: the log has failed for good
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
                // Nothing more may be written here, not even a footer: the process has to end.
                onFailure.accept(taken);
              }
              return LOOK_NANOS;
            });
    loop.start();
    return loop;
  }
}
