package gilmok.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Stream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What ends the sleep of a sink's loop, which would last a day. */
@Tag("unit")
@Timeout(60)
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class SinkRestTest {
  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);
  private static final long LOOK_NANOS = 1;

  @TempDir Path data;
  private SinksRig rig;
  private final SinkState account = new SinkState();
  private FlowControl flow;
  private SinkRest rest;

  @BeforeEach
  void open() throws IOException, InterruptedException {
    rig = new SinksRig(data);
    flow =
        new FlowControl(
            account, SinksRig.config(SinksRig.QUICK, SinksRig.ALL), rig.clock, new Random(1));
    rest = new SinkRest(rig.log, account, flow, Duration.ofDays(1));
  }

  @AfterEach
  void close() throws IOException {
    rig.close();
  }

  /** Sleeps on another thread; returns once it is about to. */
  private FutureTask<Boolean> sleep() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    FutureTask<Boolean> sleep =
        new FutureTask<>(
            () -> {
              rest.begin();
              long seen = flow.version();
              boolean isResting = rest.nanos(rig.log.durable(), LOOK_NANOS) > LOOK_NANOS;
              begun.countDown();
              rest.sleep(seen, DAY_NANOS);
              return isResting;
            });
    Thread.ofPlatform().daemon().start(sleep);
    begun.await();
    return sleep;
  }

  @Test
  void record_endsIt() throws Exception {
    for (int i = 0; i < 100; i++) {
      FutureTask<Boolean> sleep = sleep();
      rig.append(Stream.TRACES, "record " + i);
      assertThat(sleep.get()).isTrue();
    }
  }

  @Test
  void changeOfTheAccount_endsIt() throws Exception {
    for (int i = 0; i < 100; i++) {
      FutureTask<Boolean> sleep = sleep();
      account.wake();
      assertThat(sleep.get()).isTrue();
    }
  }

  @Test
  void recordsThatAreNotRead_letItOnlyLook() throws Exception {
    rig.append(Stream.TRACES, "one", "two");
    assertThat(rest.nanos(1, LOOK_NANOS)).isEqualTo(LOOK_NANOS);
    assertThat(rest.nanos(2, LOOK_NANOS)).isGreaterThan(LOOK_NANOS);
  }

  @Test
  void checkpointThatIsNotSaved_isDueAfterItsInterval() {
    SinkRest quick = new SinkRest(rig.log, account, flow, Duration.ofNanos(1));
    assertThat(quick.nanos(0, LOOK_NANOS)).isEqualTo(LOOK_NANOS);
    quick.saved(flow.version(), true);
    assertThat(quick.nanos(0, LOOK_NANOS)).isGreaterThan(LOOK_NANOS);
    account.wake();
    assertThat(quick.nanos(0, LOOK_NANOS)).isEqualTo(LOOK_NANOS);
  }
}
