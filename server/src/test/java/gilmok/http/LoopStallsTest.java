package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Counter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class LoopStallsTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.http");

  private final AtomicLong now = new AtomicLong();
  private final LoopStalls stalls = new LoopStalls(now::get);
  private final Counter counted = new Counter();
  private final List<LogRecord> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getMessage().contains("loop-of-a-test")) {
            lines.add(line);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void end() {
    LOGGER.removeHandler(handler);
  }

  /** What holds up a loop. */
  private static void guilty(CountDownLatch until) {
    try {
      until.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void stall_isNamedOnceForEachPlace_andCountedEachTime() throws Exception {
    LoopStalls.Beat beat = stalls.of("loop-of-a-test", counted);
    stalls.look();
    assertThat(counted.total()).as("it has not begun").isZero();
    for (int time = 1; time <= 2; time++) {
      CountDownLatch until = new CountDownLatch(1);
      Thread loop =
          Thread.ofPlatform()
              .start(
                  () -> {
                    beat.beat();
                    guilty(until);
                  });
      while (loop.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      now.addAndGet(900_000_000L);
      stalls.look();
      assertThat(counted.total()).as("not long yet").isEqualTo(time - 1);
      now.addAndGet(600_000_000L);
      stalls.look();
      stalls.look();
      assertThat(counted.total()).isEqualTo(time);
      until.countDown();
      loop.join();
      beat.beat();
      stalls.look();
    }
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst().getMessage()).contains("held up for 1.5 s");
    assertThat(lines.getFirst().getThrown().getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("guilty"));
  }

  /** Its thread waits for a socket, so no stack would say who is guilty. */
  @Test
  void loopThatTheMachineDoesNotRun_isSaidWithoutAPlace() throws Exception {
    LoopStalls.Beat beat = stalls.of("loop-of-a-test", counted);
    try (Selector selector = Selector.open()) {
      Thread loop =
          Thread.ofPlatform()
              .start(
                  () -> {
                    beat.beat();
                    select(selector);
                  });
      while (Arrays.stream(loop.getStackTrace())
          .limit(1)
          .noneMatch(frame -> frame.getClassName().equals("sun.nio.ch.EPoll"))) {
        Thread.onSpinWait();
      }
      now.addAndGet(1_500_000_000L);
      stalls.look();
      selector.wakeup();
      loop.join();
    }
    assertThat(counted.total()).isEqualTo(1);
    assertThat(lines.getFirst().getMessage()).contains("1.5 s by nothing of its own");
    assertThat(lines.getFirst().getThrown()).isNull();
  }

  private static void select(Selector selector) {
    try {
      selector.select();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
