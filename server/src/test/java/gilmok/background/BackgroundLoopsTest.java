package gilmok.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of all loops of a server. */
@Tag("unit")
final class BackgroundLoopsTest {
  private final BackgroundLoops loops = BackgroundLoops.unwatched();

  @Test
  void close_endsWhatNobodyHasStopped_alsoForAnInterruptedThread() throws Exception {
    CountDownLatch begun = new CountDownLatch(2);
    AtomicBoolean isEnded = new AtomicBoolean();
    BackgroundLoop hanging =
        loops.optional(
            "hanging",
            "nothing",
            () -> {
              begun.countDown();
              new CountDownLatch(1).await();
              return 0;
            });
    BackgroundLoop inTheMiddle =
        loops.optional(
            "in-the-middle",
            "nothing",
            () -> {
              begun.countDown();
              TimeUnit.MILLISECONDS.sleep(50);
              isEnded.set(true);
              return 0;
            });
    BackgroundLoop unstarted = loops.optional("unstarted", "nothing", () -> 0);
    hanging.start();
    inTheMiddle.start();
    begun.await();

    Thread.currentThread().interrupt();
    loops.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(isEnded).isTrue();
    assertThat(List.of(hanging, inTheMiddle)).allMatch(loop -> !loop.isUp());
    assertThat(unstarted.failures()).isZero();
  }

  @Test
  void passBrokenOffByTheStop_isNoFailure() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    BackgroundLoop loop =
        loops.optional(
            "reading",
            "nothing is read",
            () -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException stopped) {
                throw new ClosedByInterruptException(); // as an interrupted read of a file does
              }
              return 0;
            });
    loop.start();
    begun.await();

    loop.stop(Duration.ofMillis(1));

    assertThat(loop.failures()).isZero();
    assertThat(loop.failure()).isNull();
  }
}
