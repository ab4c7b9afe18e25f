package gilmok.log;

import gilmok.background.BackgroundThread;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The threads of an open log. */
record LogThreads(Thread writer, Thread preparer, Thread keeper) {
  private static final long STOP_SECONDS_MAX = 30;

  static LogThreads start(Runnable writer, Runnable preparer, Runnable keeper) {
    return new LogThreads(
        BackgroundThread.startLasting("log-writer", writer),
        BackgroundThread.startDaemon("log-preparer", preparer),
        BackgroundThread.startDaemon("log-keeper", keeper));
  }

  /** Waits until the writer has written what was accepted, and ends the others. */
  void join() throws IOException, InterruptedException {
    writer.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS_MAX));
    preparer.interrupt();
    keeper.interrupt();
    preparer.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS_MAX));
    keeper.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS_MAX));
    if (writer.isAlive()) {
      // To return as if the log were closed would let another process write to it.
      throw new IOException("the disk did not answer within " + STOP_SECONDS_MAX + " s");
    }
  }
}
