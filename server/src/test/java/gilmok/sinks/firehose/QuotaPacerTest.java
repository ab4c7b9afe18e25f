package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With a clock that moves only while a call waits, or when a test moves it. */
@Tag("unit")
class QuotaPacerTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PATIENT = 1000 * SECOND;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - SECOND);
  private final FirehoseConfig config =
      Told.config(
          "records-per-second-max", "1000",
          "bytes-per-second-max", "1000 KiB",
          "calls-per-second-max", "100");
  private final QuotaPacer pacer = new QuotaPacer(config, now::get, now::addAndGet);

  private double secondsFor(int calls, int records, int bytes) throws InterruptedException {
    long begun = now.get();
    for (int i = 0; i < calls; i++) {
      assertThat(pacer.take(records, bytes, PATIENT)).isTrue();
    }
    return (now.get() - begun) / (double) SECOND;
  }

  @Test
  void take_manyCalls_holdsToEachBound() throws InterruptedException {
    // The first tenth of a second's quota is available at once.
    assertThat(secondsFor(500, 1, 1)).as("calls").isCloseTo(4.9, within(0.02));
    now.addAndGet(SECOND);
    assertThat(secondsFor(50, 100, 1)).as("records").isCloseTo(4.9, within(0.02));
    now.addAndGet(SECOND);
    assertThat(secondsFor(50, 1, 100 << 10)).as("bytes").isCloseTo(4.9, within(0.02));
  }

  @Test
  void take_moreThanABucketHolds_isPaidByTheNext() throws InterruptedException {
    assertThat(secondsFor(1, 1, 1000 << 10)).isZero();
    assertThat(secondsFor(1, 1, 100 << 10)).isCloseTo(1.0, within(0.01));
  }

  @Test
  void take_beyondPatience_takesNothing() throws InterruptedException {
    assertThat(pacer.take(1, 1000 << 10, PATIENT)).isTrue();
    assertThat(pacer.take(1, 100 << 10, SECOND / 2)).isFalse();
    assertThat(secondsFor(1, 1, 100 << 10)).isCloseTo(0.5, within(0.01));
  }

  @Test
  void throttled_halvesOnceForAllThatWasUnderWay() {
    long first = now.get();
    now.addAndGet(SECOND / 100);
    pacer.throttled(first);
    pacer.throttled(first);
    pacer.throttled(now.get() - 1);
    assertThat(pacer.share()).isEqualTo(0.5);
    assertThat(pacer.halvings()).isEqualTo(1);

    now.addAndGet(1);
    pacer.throttled(now.get());
    assertThat(pacer.share()).isCloseTo(0.25, within(0.001));
    assertThat(pacer.halvings()).isEqualTo(2);
  }

  @Test
  void share_growsBackEvenly_andNeverFallsBelowItsLeast() {
    for (int i = 0; i < 20; i++) {
      now.addAndGet(1);
      pacer.throttled(now.get());
    }
    assertThat(pacer.share()).isCloseTo(1.0 / 64, within(0.001));
    now.addAndGet(4 * SECOND);
    assertThat(pacer.share()).isCloseTo(1.0 / 64 + 0.2, within(0.001));
    now.addAndGet(4 * SECOND);
    assertThat(pacer.share()).isCloseTo(1.0 / 64 + 0.4, within(0.001));
    now.addAndGet(60 * SECOND);
    assertThat(pacer.share()).isEqualTo(1);
  }

  @Test
  void take_whenThrottled_isSlowerAndGrowsFaster() throws InterruptedException {
    secondsFor(10, 1, 1);
    pacer.throttled(now.get());
    double slow = secondsFor(50, 1, 1);
    // At half the pace this would take a second, but the pace grows meanwhile.
    assertThat(slow).isBetween(0.9, 1.0);
    assertThat(secondsFor(50, 1, 1)).isBetween(0.8, slow);
  }

  @Test
  @Timeout(30)
  void take_whileAnotherWaits_isInterruptedOrGivesUp() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    QuotaPacer held =
        new QuotaPacer(
            config,
            now::get,
            nanos -> {
              waits.countDown();
              goesOn.await();
              now.addAndGet(nanos);
            });
    held.take(1, 1000 << 10, PATIENT);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> head = threads.submit(() -> held.take(1, 100 << 10, PATIENT));
      waits.await();
      assertThat(held.take(1, 1, 1)).as("out of patience behind the head").isFalse();
      Future<Boolean> next = threads.submit(() -> held.take(1, 1, PATIENT));
      next.cancel(true);
      assertThat(head.isDone()).isFalse();
      goesOn.countDown();
      assertThat(head.get(20, TimeUnit.SECONDS)).isTrue();
    }
  }
}
