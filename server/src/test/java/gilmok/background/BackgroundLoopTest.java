package gilmok.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A loop goes on whatever its passes throw, reports that it fails, and ends only when stopped. */
@Tag("unit")
@ResourceLock("java.util.logging")
final class BackgroundLoopTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<BackgroundLoop> seen = new ArrayList<>();
  private final BackgroundLoops loops = new BackgroundLoops(seen::add);
  private final AtomicInteger passes = new AtomicInteger();

  @AfterEach
  void stopAll() throws InterruptedException {
    for (BackgroundLoop loop : loops.all()) {
      loop.stop(PATIENCE);
    }
  }

  /** Throws any exception, also a checked one that the calling method does not declare. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private BackgroundLoop failing(Throwable thrown, int times) {
    return loops.optional(
        "failing",
        "nothing is done",
        () -> {
          if (passes.incrementAndGet() <= times) {
            BackgroundLoopTest.<RuntimeException>sneak(thrown);
          }
          return 1_000_000;
        });
  }

  @Test
  void pass_throwsAnything_isTriedAgainAndWorks() throws Exception {
    for (Throwable thrown :
        List.of(
            new IOException("the disk is full"),
            new IllegalStateException("a bug"),
            new StackOverflowError(),
            new NoClassDefFoundError("lost"),
            new InterruptedException("by nobody who may"))) {
      passes.set(0);
      BackgroundLoops own = new BackgroundLoops(_ -> {});
      BackgroundLoop loop =
          own.optional(
              "failing",
              "nothing is done",
              () -> {
                if (passes.incrementAndGet() <= 2) {
                  BackgroundLoopTest.<RuntimeException>sneak(thrown);
                }
                return 1_000_000;
              });
      loop.start();
      await(() -> passes.get() >= 4);
      await(loop::isUp);
      assertThat(loop.failures()).as(thrown.toString()).isEqualTo(2);
      loop.stop(PATIENCE);
      assertThat(loop.hasEnded()).isFalse();
    }
  }

  @Test
  void pass_fails_isNotUp_andSaysWhySinceWhen() throws Exception {
    BackgroundLoop loop = failing(new IOException("the disk is full"), Integer.MAX_VALUE);
    assertThat(seen).containsExactly(loop);
    loop.start();
    await(() -> loop.failures() >= 2);
    assertThat(loop.isUp()).isFalse();
    BackgroundLoop.Failure failure = Objects.requireNonNull(loop.failure());
    assertThat(failure.reason()).isEqualTo("the disk is full");
    assertThat(failure.isPartial()).isFalse();
    long since = failure.sinceNanos();
    await(() -> loop.failures() >= 3);
    assertThat(Objects.requireNonNull(loop.failure()).sinceNanos()).isEqualTo(since);
  }

  @Test
  void wake_bringsTheNextPass_butNotBeforeTheEndOfAFailuresPause() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    BackgroundLoop loop =
        loops.optional(
            "waiting",
            "nothing is done",
            () -> {
              passes.incrementAndGet();
              first.countDown();
              throw new IOException("each time");
            });
    loop.start();
    first.await();
    for (int i = 0; i < 1_000; i++) {
      loop.wake();
      LockSupport.parkNanos(100_000);
    }
    // Pauses last 0.1, 0.2, 0.4 s and so on: a thousand wakes have caused no passes of their own.
    assertThat(passes.get()).isLessThan(100);
  }

  @Test
  void wake_duringAPassThatWaitsForOthers_bringsAnotherAtOnce() throws Exception {
    BackgroundLoops sleepy = new BackgroundLoops(seen::add, Duration.ofDays(1));
    CountDownLatch inPass = new CountDownLatch(1);
    CountDownLatch isWoken = new CountDownLatch(1);
    BackgroundLoop loop =
        sleepy.optional(
            "waiting",
            "nothing is done",
            () -> {
              if (passes.incrementAndGet() == 1) {
                inPass.countDown();
                isWoken.await();
                LockSupport.parkNanos(1); // as a lock would: it takes what wakes a thread
              }
              return Long.MAX_VALUE;
            });
    loop.start();
    inPass.await();
    loop.wake();
    isWoken.countDown();
    await(() -> passes.get() == 2);
    loop.stop(PATIENCE);
  }

  @Test
  void sleep_isEndedByWakeAlone_andIsNoAge() throws Exception {
    BackgroundLoops sleepy = new BackgroundLoops(seen::add, Duration.ofDays(1));
    BackgroundLoop loop =
        sleepy.optional(
            "sleeping",
            "nothing is done",
            () -> {
              passes.incrementAndGet();
              return Long.MAX_VALUE;
            });
    loop.start();
    for (int i = 1; i <= 20; i++) {
      int wanted = i;
      await(() -> passes.get() == wanted && loop.ageSeconds() == 0);
      loop.wake();
    }
    loop.stop(PATIENCE);
  }

  @Test
  void partlyFailed_goesOn_andIsNamedUntilItWorks() throws Exception {
    AtomicInteger failuresLeft = new AtomicInteger(Integer.MAX_VALUE);
    List<BackgroundLoop> self = new ArrayList<>();
    BackgroundLoop loop =
        loops.needed(
            "saving",
            "nothing is saved",
            () -> {
              passes.incrementAndGet();
              if (failuresLeft.getAndDecrement() > 0) {
                self.getFirst().partlyFailed(new IOException("no room"));
              } else {
                self.getFirst().partlyWorked();
              }
              return 1_000_000;
            });
    self.add(loop);
    loop.start();
    await(() -> passes.get() > 20);
    assertThat(Objects.requireNonNull(loop.failure()).isPartial()).isTrue();
    assertThat(loop.isUp()).isFalse();
    failuresLeft.set(0);
    await(loop::isUp);
  }

  @Test
  void stop_endsAfterThePass_withTheWorksEnd() throws Exception {
    AtomicInteger ends = new AtomicInteger();
    BackgroundLoop loop =
        loops.optional(
            "ending",
            "nothing is done",
            new BackgroundLoop.Work() {
              @Override
              public long pass() {
                passes.incrementAndGet();
                return Long.MAX_VALUE;
              }

              @Override
              public void end() {
                ends.incrementAndGet();
              }
            });
    loop.stop(PATIENCE); // never started, so there is no thread to wait for
    BackgroundLoop another = failing(new IOException("each time"), Integer.MAX_VALUE);
    another.start();
    await(() -> another.failures() > 0);
    another.stop(PATIENCE);
    assertThat(ends).hasValue(0);
  }

  @Test
  void stop_ofAHangingPass_interruptsIt() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger ends = new AtomicInteger();
    BackgroundLoop loop =
        loops.optional(
            "hanging",
            "nothing is done",
            new BackgroundLoop.Work() {
              @Override
              public long pass() throws InterruptedException {
                begun.countDown();
                never.await();
                return 0;
              }

              @Override
              public void end() {
                ends.incrementAndGet();
              }
            });
    loop.start();
    begun.await();
    loop.stop(Duration.ofMillis(1));
    assertThat(ends).hasValue(1);
  }

  /**
   * Reporting a failure can fail, too: memory is short, a log handler is broken, a message throws.
   */
  @Test
  void failureCannotBeSaid_goesOnAllTheSame_andIsSeen() throws Exception {
    Logger logger = Logger.getLogger("gilmok.background");
    Handler broken =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            throw new StackOverflowError("told to fail");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(broken);
    try {
      BackgroundLoop loop = failing(new IOException("the disk is full"), 1);
      loop.start();
      await(() -> loop.failures() == 1);
      await(() -> loop.failure() != null);
      await(() -> passes.get() > 1);
      logger.removeHandler(broken);
      await(loop::isUp);
      assertThat(loop.hasEnded()).isFalse();
    } finally {
      logger.removeHandler(broken);
    }
  }

  @Test
  void skipped_many_areCounted_andTheFirstFewNamed() throws Exception {
    Logger logger = Logger.getLogger("gilmok.background");
    List<String> said = new CopyOnWriteArrayList<>();
    Handler ear =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            said.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(ear);
    try {
      List<BackgroundLoop> self = new ArrayList<>();
      BackgroundLoop loop =
          loops.optional(
              "skipping",
              "nothing is done",
              () -> {
                if (passes.incrementAndGet() == 1) {
                  for (int i = 1; i <= 100; i++) {
                    self.getFirst().skipped("record " + i, new IllegalStateException("damaged"));
                  }
                }
                return 1_000_000;
              });
      self.add(loop);
      loop.start();
      await(() -> passes.get() > 1);
      loop.stop(PATIENCE);
      assertThat(loop.skippedItems()).isEqualTo(100);
      assertThat(said)
          .hasSize(9)
          .contains("skipping: skipped 92 more, the last of them record 100");
    } finally {
      logger.removeHandler(ear);
    }
  }

  @Test
  void skipped_isCounted() {
    BackgroundLoop loop = loops.optional("skipping", "nothing is done", () -> 0);
    loop.skipped("record 1", new IllegalStateException("damaged"));
    assertThat(loop.skippedItems()).isEqualTo(1);
  }

  @Test
  void two_ofOneName_areRefused() {
    var _ = loops.optional("one", "nothing is done", () -> 0);
    assertThatThrownBy(() -> loops.needed("one", "nothing is done", () -> 0))
        .hasMessageContaining("one");
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void hasThread_byTheNameThatTheKernelHas() {
    var _ = loops.optional("follow-deliveries", "nothing is done", () -> 0);
    var _ = loops.optional("outbox", "nothing is done", () -> 0);
    assertThat(loops.hasThread("follow-deliveri")).isTrue();
    assertThat(loops.hasThread("outbox")).isTrue();
    assertThat(loops.hasThread("follow-")).isFalse();
    assertThat(loops.hasThread("log-writer")).isFalse();
  }
}
