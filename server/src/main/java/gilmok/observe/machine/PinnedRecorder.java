package gilmok.observe.machine;

import gilmok.observe.Histogram;
import java.time.Duration;
import jdk.jfr.consumer.RecordingStream;

/**
 * Java's flight recorder with the one event of pinned virtual threads. A class of its own, as a
 * Java without the module {@code jdk.jfr} cannot link it.
 */
final class PinnedRecorder implements AutoCloseable {
  private static final String EVENT = "jdk.VirtualThreadPinned";

  /** Shorter waits cost more to record than they matter. */
  private static final Duration LEAST = Duration.ofMillis(1);

  private static final long FILES_BYTES_MAX = 16 << 20;

  private final RecordingStream stream = new RecordingStream();

  /** Starts it; waits of a millisecond or more are recorded. */
  PinnedRecorder(Histogram waits) {
    stream.enable(EVENT).withThreshold(LEAST).withoutStackTrace();
    stream.onEvent(EVENT, wait -> waits.record(wait.getDuration().toNanos()));
    stream.setMaxSize(FILES_BYTES_MAX);
    stream.startAsync();
  }

  @Override
  public void close() {
    stream.close();
  }
}
