package gilmok.observe.machine;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Java's flight recorder, started in this process. */
@Tag("unit")
@Timeout(120)
final class PinnedThreadsTest {
  private static final String COUNT = "gilmok_virtual_thread_pinned_seconds_count ";

  /** A class whose initialisation waits pins each virtual thread that needs it. */
  private static final class SlowToBegin {
    private static final int ONE = slowly();

    private static int slowly() {
      long end = System.nanoTime() + 20_000_000L;
      while (System.nanoTime() - end < 0) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      return 1;
    }
  }

  @Test
  void watch_aVirtualThreadThatIsPinned_isRecorded() throws Exception {
    try (Meters meters = new Meters();
        PinnedThreads threads = new PinnedThreads(meters)) {
      threads.watch(new FlightRecorderConfig(false));
      assertThat(text(meters)).doesNotContain(COUNT);

      threads.watch(new FlightRecorderConfig(true));
      threads.watch(new FlightRecorderConfig(true)); // a reload that changes something else
      while (!threads.isRunning()) {
        Thread.onSpinWait();
      }
      assertThat(text(meters)).contains(COUNT + "0");
      Thread.ofVirtual().start(() -> assertThat(SlowToBegin.ONE).isEqualTo(1)).join();
      while (text(meters).contains(COUNT + "0")) {
        LockSupport.parkNanos(10_000_000);
      }

      threads.watch(new FlightRecorderConfig(false));
      assertThat(threads.isRunning()).isFalse();
    }
  }

  private static String text(Meters meters) {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }
}
