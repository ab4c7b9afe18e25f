package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Principal;
import gilmok.observe.Meters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work off the event loops: it is always answered, and its place is given back once. */
@Tag("server")
final class OffloadTest {
  private static final int IN_FLIGHT_MAX = 4;
  private static final Answer GOOD = Answer.empty(204);
  private static final Offload.Call READ = new Offload.Call(true, null);

  private final Meters meters = new Meters();
  private final CountDownLatch held = new CountDownLatch(1);
  private Offload offload = offload(Thread.ofVirtual().factory(), "t");

  private Offload offload(ThreadFactory threads, String name) {
    return new Offload(new Offload.Part(name, "it fails", IN_FLIGHT_MAX, null), meters, threads);
  }

  @AfterEach
  void close() {
    held.countDown();
    meters.close();
  }

  @Test
  void work_ends_isAnswered() throws Exception {
    assertThat(ask(() -> GOOD).await().status()).isEqualTo(204);
    awaitNothingInFlight();
  }

  @Test
  void workThatFails_isAnsweredCountedAndGivesItsPlaceBack() throws Exception {
    for (int i = 0; i < 3 * IN_FLIGHT_MAX; i++) {
      assertRefused(Refusal.BUSY, () -> fail(new IOException("told to fail")));
      assertRefused(Refusal.BUSY, () -> fail(new UncheckedIOException(new IOException("told"))));
      assertRefused(Refusal.STOPPING, () -> fail(new InterruptedException()));
      assertRefused(Refusal.BROKEN, () -> fail(new IllegalStateException("told to fail")));
      assertRefused(Refusal.BROKEN, () -> fail(new AssertionError("told to fail")));
      assertRefused(Refusal.BROKEN, () -> deeper(0));
    }
    assertThat(failures("outage")).isEqualTo(6 * IN_FLIGHT_MAX);
    assertThat(failures("bug")).isEqualTo(9 * IN_FLIGHT_MAX);
    assertThat(ask(() -> GOOD).await().status()).isEqualTo(204);
  }

  /** Recurses until the stack overflows. */
  private static Answer deeper(int depth) {
    return depth < 0 ? GOOD : deeper(depth + 1);
  }

  private static <T extends Throwable> Answer fail(T failure) throws T {
    throw failure;
  }

  @Test
  void answerThatCannotBeSent_isBroken() throws Exception {
    for (int i = 0; i < 3 * IN_FLIGHT_MAX; i++) {
      assertRefused(
          Refusal.BROKEN,
          () ->
              _ -> {
                throw new NoClassDefFoundError("told to fail");
              });
    }
    assertThat(failures("bug")).isEqualTo(3 * IN_FLIGHT_MAX);
  }

  @Test
  void noThread_isBroken_andThePlaceIsGivenBack() throws Exception {
    offload =
        offload(
            _ -> {
              throw new OutOfMemoryError("told to fail");
            },
            "u");
    for (int i = 0; i < 3 * IN_FLIGHT_MAX; i++) {
      assertRefused(Refusal.BROKEN, () -> GOOD);
    }
    offload = offload(work -> new Unstartable(), "v");
    for (int i = 0; i < 3 * IN_FLIGHT_MAX; i++) {
      assertRefused(Refusal.BROKEN, () -> GOOD);
    }
  }

  /** A thread that cannot start for want of memory. */
  private static final class Unstartable extends Thread {
    @Override
    public void start() {
      throw new OutOfMemoryError("told to fail");
    }
  }

  @Test
  void overTheBound_isBusy_andReadsLeaveHalf() throws Exception {
    List<TestExchange> under = new ArrayList<>();
    for (int i = 0; i < IN_FLIGHT_MAX / 2; i++) {
      under.add(hold(READ));
    }
    assertThat(hold(READ).await().refusal()).isEqualTo(Refusal.BUSY);
    for (int i = IN_FLIGHT_MAX / 2; i < IN_FLIGHT_MAX; i++) {
      under.add(hold(Offload.PLAIN));
    }
    assertThat(hold(Offload.PLAIN).await().refusal()).isEqualTo(Refusal.BUSY);
    assertThat(metric("gilmok_t_in_flight")).isEqualTo(IN_FLIGHT_MAX);
    assertThat(metric("gilmok_t_in_flight_max")).isEqualTo(IN_FLIGHT_MAX);
    held.countDown();
    for (TestExchange one : under) {
      assertThat(one.await().status()).isEqualTo(204);
    }
    awaitNothingInFlight();
  }

  @Test
  void pastItsDeadline_isAnswered_andKeepsItsPlaceUntilItsWorkEnds() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    TestExchange late =
        ask(
            () -> {
              try {
                held.await();
              } catch (InterruptedException told) {
                interrupted.countDown();
              }
              held.await(); // ignores the interrupt
              return GOOD;
            });
    TestExchange another = hold(Offload.PLAIN);
    long begun = System.nanoTime();
    offload.sweep(begun);
    assertThat(failures("deadline")).isZero();
    offload.sweep(begun + Duration.ofSeconds(31).toNanos());
    assertThat(late.await().refusal()).isEqualTo(Refusal.BUSY);
    assertThat(another.await().refusal()).isEqualTo(Refusal.BUSY);
    interrupted.await();
    offload.sweep(begun + Duration.ofSeconds(62).toNanos());
    assertThat(failures("deadline")).isEqualTo(2);
    Edge.await(() -> metric("gilmok_t_in_flight") == 1);
    held.countDown();
    awaitNothingInFlight();
    assertThat(late.dropped()).isOne();
  }

  @Test
  void deadlines_areLookedAfter_alsoWhenOneCannotBeAnswered() throws Exception {
    try (Offloads offloads = new Offloads(meters)) {
      offload = offloads.of(new Offload.Part("s", "it fails", 4, Duration.ofMillis(1), null));
      for (int i = 0; i < 10; i++) {
        assertThat(hold(Offload.PLAIN).await().refusal()).isEqualTo(Refusal.BUSY);
        Edge.await(() -> metric("gilmok_s_in_flight") == 0);
      }
    }
  }

  @Test
  void deadlines_areLookedAfter_alsoWhenItCannotBeSaid() throws Exception {
    Logger logger = Logger.getLogger("gilmok");
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
    try (Offloads offloads = new Offloads(meters)) {
      offload = offloads.of(new Offload.Part("u", "it fails", 4, Duration.ofMillis(1), null));
      for (int i = 0; i < 3; i++) {
        assertThat(hold(Offload.PLAIN).await().refusal()).isEqualTo(Refusal.BUSY);
      }
    } finally {
      logger.removeHandler(broken);
    }
  }

  @Test
  void drain_takesNothingNew_andWaits() throws Exception {
    TestExchange under = hold(Offload.PLAIN);
    offload.drain(Duration.ofMillis(1));
    assertThat(ask(() -> GOOD).await().refusal()).isEqualTo(Refusal.STOPPING);
    held.countDown();
    offload.drain(Duration.ofSeconds(20));
    assertThat(under.await().status()).isEqualTo(204);
    assertThat(metric("gilmok_t_in_flight")).isZero();
  }

  @Test
  void requestThatIsAnsweredInAnyCase_getsTheOtherAnswer_whereTheWorkHasNone() throws Exception {
    assertThat(askAnyway(() -> GOOD).await().status()).isEqualTo(204);
    for (int i = 0; i < 3 * IN_FLIGHT_MAX; i++) {
      assertThat(askAnyway(() -> fail(new IOException("told"))).await().status()).isEqualTo(200);
      assertThat(askAnyway(() -> fail(new IllegalStateException())).await().status())
          .isEqualTo(200);
      awaitNothingInFlight();
    }
    assertThat(failures("outage")).isEqualTo(3 * IN_FLIGHT_MAX);
    assertThat(failures("bug")).isEqualTo(3 * IN_FLIGHT_MAX);
    List<TestExchange> under = new ArrayList<>();
    for (int i = 0; i < IN_FLIGHT_MAX; i++) {
      under.add(
          askAnyway(
              () -> {
                held.await();
                return GOOD;
              }));
    }
    assertThat(askAnyway(() -> GOOD).await().status()).as("no place").isEqualTo(200);
    offload.sweep(System.nanoTime() + Duration.ofSeconds(31).toNanos());
    for (TestExchange one : under) {
      assertThat(one.await().status()).as("late").isEqualTo(200);
    }
    awaitNothingInFlight();
    offload.drain(Duration.ofMillis(1));
    assertThat(askAnyway(() -> GOOD).await().status()).as("stopping").isEqualTo(200);
  }

  private TestExchange askAnyway(Offload.Work work) {
    TestExchange exchange = exchange();
    offload.ask(exchange, Answer.empty(200), work);
    return exchange;
  }

  private TestExchange hold(Offload.Call call) {
    TestExchange exchange = exchange();
    boolean _ =
        offload.ask(
            exchange,
            call,
            () -> {
              held.await();
              return GOOD;
            });
    return exchange;
  }

  private TestExchange ask(Offload.Work work) {
    TestExchange exchange = exchange();
    offload.ask(exchange, work);
    return exchange;
  }

  private static TestExchange exchange() {
    return new TestExchange(new Principal("k", "app", Set.of(), null), Map.of(), Map.of(), "");
  }

  private void assertRefused(Refusal refusal, Offload.Work work) throws Exception {
    assertThat(ask(work).await().refusal()).isEqualTo(refusal);
    awaitNothingInFlight();
  }

  private void awaitNothingInFlight() throws InterruptedException {
    Edge.await(() -> metric("gilmok_t_in_flight") == 0);
  }

  private double failures(String cause) {
    return metric("gilmok_offload_failures_total{cause=\"" + cause + "\",part=\"t\"}");
  }

  private double metric(String name) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }
}
