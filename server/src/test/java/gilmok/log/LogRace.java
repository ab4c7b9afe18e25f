package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Appenders, the writer, a reader that polls, a reader of the files alone, a cursor, and a close at
 * any moment. Every accepted completion is called once, in order, and not before a reader finds its
 * records.
 */
@Tag("unit")
@Tag("soak")
final class LogRace {
  @Test
  void closeAtAnyMoment_everyTicketTakenIsCalledOnceInOrder() {
    Seeds.each(200, seed -> new Round(seed).run());
  }

  private static final class Round {
    private static final LogConfig CONFIG =
        new LogConfig(8192, 2048, 20, 1 << 24, Duration.ofDays(1), 1000, Duration.ofMillis(1));

    private final Random random;
    private final LogRig rig = new LogRig(jittering(), Path.of("/data"));
    private final Log log;
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger called = new AtomicInteger();
    private final AtomicLong lastCalled = new AtomicLong();
    private final AtomicInteger texts = new AtomicInteger();
    private volatile boolean closed;

    Round(long seed) throws IOException, InterruptedException {
      random = new Random(seed);
      log = rig.open(CONFIG);
    }

    void run() throws Exception {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random own = new Random(random.nextLong());
        threads.add(start(() -> append(own)));
      }
      threads.add(start(this::pollInside));
      threads.add(start(this::pollBeside));
      threads.add(start(this::advance));
      LockSupport.parkNanos(random.nextInt(5_000_000));
      log.close();
      closed = true;
      for (Thread thread : threads) {
        assertThat(thread.join(Duration.ofSeconds(20))).as("ends").isTrue();
      }
      assertThat(broken).isEmpty();
      assertThat(called).hasValue(taken.get());
      assertThat(log.append(Records.draft("late"), new Records.Waiting()))
          .isEqualTo(AppendResult.CLOSED);
      rig.checkSound();
      assertThat(LogIntegrity.check(rig.disk, rig.data)).isEqualTo(log.durable());
    }

    private Thread start(Work work) {
      return Thread.ofVirtual()
          .start(
              () -> {
                try {
                  work.run();
                } catch (Exception | AssertionError bad) {
                  broken.add(bad);
                }
              });
    }

    private void append(Random own) {
      while (true) {
        String text = Records.text("r", texts.incrementAndGet(), 10 + own.nextInt(300));
        AppendBatch batch = own.nextInt(10) == 0 ? Records.draft() : Records.draft(text, text);
        // Counted first, because the completion may be called before append returns.
        taken.incrementAndGet();
        AppendResult result = log.append(batch, new Checked(own.nextInt(4) == 0 ? text : ""));
        if (result != AppendResult.TAKEN) {
          taken.decrementAndGet();
        }
        if (result == AppendResult.CLOSED) {
          return;
        }
        jitter(own.nextInt(64));
      }
    }

    private final class Checked extends AppendCompletion {
      private final AtomicInteger calls = new AtomicInteger();
      private final String text;

      Checked(String text) {
        this.text = text;
      }

      @Override
      protected void durable() {
        try {
          called.incrementAndGet();
          assertThat(calls.incrementAndGet()).isEqualTo(1);
          if (stored() > 0) {
            assertThat(first()).isEqualTo(lastCalled.get() + 1);
            lastCalled.set(first() + stored() - 1);
            assertThat(log.durable()).isGreaterThanOrEqualTo(lastCalled.get());
            if (!text.isEmpty()) {
              try (LogReader reader = log.reader(first())) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.sequence()).isEqualTo(first());
                assertThat(Records.text(reader)).isEqualTo(text);
              }
            }
          }
        } catch (IOException | AssertionError bad) {
          broken.add(bad);
        }
      }
    }

    private void pollInside() throws IOException {
      try (LogReader reader = log.reader(1)) {
        long last = 0;
        boolean over;
        do {
          over = closed;
          long durable = log.durable();
          while (reader.next()) {
            assertThat(reader.sequence()).isEqualTo(++last);
          }
          assertThat(last).isGreaterThanOrEqualTo(durable);
          jitter(8);
        } while (!over);
        assertThat(last).isEqualTo(log.durable());
      }
    }

    private void pollBeside() throws IOException {
      try (LogReader reader = LogReader.beside(rig.disk, rig.data.resolve("log"), 1)) {
        long last = 0;
        boolean over;
        do {
          over = closed;
          while (reader.next()) {
            assertThat(reader.sequence()).isEqualTo(++last);
          }
          jitter(8);
        } while (!over);
        assertThat(last).isEqualTo(log.durable());
      }
    }

    private void advance() throws IOException, InterruptedException {
      while (!closed) {
        log.cursor("sink").advance(log.durable());
        jitter(100);
      }
    }

    private static void jitter(int micros) {
      if (micros > 0) {
        LockSupport.parkNanos(1000L * micros);
      } else {
        Thread.onSpinWait();
      }
    }

    /**
     * A disk whose forces take as long as a good disk's, or no time: in memory alone, threads would
     * hardly ever overlap.
     */
    private static Disk jittering() {
      Random jitter = new Random();
      FaultyDisk disk = new FaultyDisk(new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot());
      disk.set(
          (operation, path) -> {
            if (operation == FaultyDisk.Operation.FORCE) {
              jitter(jitter.nextInt(100));
            }
          });
      return disk;
    }

    @FunctionalInterface
    private interface Work {
      void run() throws IOException, InterruptedException;
    }
  }
}
