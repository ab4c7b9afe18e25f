package gilmok.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A background loop that fails or hangs is named by readiness and in metrics. Only a needed loop
 * makes the server not ready.
 */
@Tag("unit")
final class LoopWatchTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Meters meters = new Meters();
  private final Readiness readiness = new Readiness(meters);
  private final BackgroundLoops loops = new BackgroundLoops(new LoopWatch(meters, readiness));
  private final AtomicBoolean fails = new AtomicBoolean(true);

  private long pass() throws IOException {
    if (fails.get()) {
      throw new IOException("the disk is full");
    }
    return 1_000_000;
  }

  @Test
  void neededLoopFails_notReadyUntilItWorks() throws Exception {
    BackgroundLoop loop = loops.needed("positions", "positions stand still", this::pass);
    assertThat(readiness.ready()).isTrue();
    loop.start();
    await(() -> !readiness.ready());
    assertThat(readiness.missing().get("loop-positions"))
        .isEqualTo(new Readiness.Lack("positions stand still: the disk is full", false));
    assertThat(text()).contains("gilmok_loop_up{loop=\"positions\"} 0.0");
    fails.set(false);
    await(readiness::ready);
    assertThat(readiness.missing()).isEmpty();
    assertThat(text()).contains("gilmok_loop_up{loop=\"positions\"} 1.0");
    loop.stop(PATIENCE);
    assertThat(readiness.ready()).isTrue();
  }

  @Test
  void optionalLoopFails_isNamedOnly() throws Exception {
    BackgroundLoop loop = loops.optional("outbox", "the log is not told", this::pass);
    loop.start();
    await(() -> !readiness.missing().isEmpty());
    assertThat(readiness.ready()).isTrue();
    loop.skipped("one", new IllegalStateException("damaged"));
    assertThat(text())
        .contains("gilmok_loop_skipped_items_total{loop=\"outbox\"} 1.0")
        .containsPattern("gilmok_loop_failures_total\\{loop=\"outbox\"} [1-9]");
    loop.stop(PATIENCE);
  }

  @Test
  void passHangs_isNamed_andNotReadyWhereItIsNeeded() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    BackgroundLoops hanging =
        new BackgroundLoops(new LoopWatch(meters, readiness, Duration.ofMillis(50)));
    BackgroundLoop.Work work =
        () -> {
          answers.await();
          return 1_000_000;
        };
    BackgroundLoop optional = hanging.optional("outbox", "the log is not told", work);
    optional.start();
    await(() -> !readiness.missing().isEmpty());
    assertThat(readiness.ready()).isTrue();
    BackgroundLoop needed = hanging.needed("positions", "positions stand still", work);
    needed.start();
    await(() -> !readiness.ready());
    assertThat(readiness.missing().get("loop-positions"))
        .isEqualTo(
            new Readiness.Lack(
                "positions stand still: a pass has not come to its end for 0 s", false));
    answers.countDown();
    await(() -> readiness.missing().isEmpty());
    optional.stop(PATIENCE);
    needed.stop(PATIENCE);
  }

  private String text() {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain");
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
