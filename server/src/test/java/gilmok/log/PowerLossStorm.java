package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.storage.NodeId;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Like {@link PowerLossLife}, but with everything at once: several threads append, another advances
 * cursors, the housekeeper saves the deduplication snapshot each millisecond, segments are deleted
 * for age and for room, and the machine goes down in the midst of it. A seed decides what is tried,
 * but not how the threads interleave.
 */
final class PowerLossStorm {
  private static final int GROUP_BYTES = 3000;
  private static final LogConfig CONFIG =
      new LogConfig(
          8192, GROUP_BYTES, 100, 5 * 8192, Duration.ofMillis(20), 16_000, Duration.ofMillis(1));
  private static final int APPENDERS = 3;

  private final Random random;
  private final PowerLossDisk machine;
  private final Promises promises = new Promises();
  private final AtomicInteger texts = new AtomicInteger();
  private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();

  PowerLossStorm(long seed, PowerLossDisk.Lie lie) {
    random = new Random(seed);
    machine = new PowerLossDisk(random.nextLong(), lie);
  }

  void live() throws Exception {
    int crashes = 2 + random.nextInt(3);
    for (int i = 0; i < crashes; i++) {
      PowerLossDisk.Process disk = machine.boot();
      if (random.nextInt(4) == 0) {
        disk.goDownAt(1 + random.nextInt(60));
      }
      run(disk);
      if (random.nextInt(3) == 0) {
        machine.kill();
      } else {
        machine.losePower();
      }
    }
    PowerLossDisk.Process disk = machine.boot();
    Log log = open(disk);
    promises.check(log);
    log.close();
    LogIntegrity.check(disk, PowerLossLife.DATA);
    machine.kill();
  }

  private void run(PowerLossDisk.Process disk) throws Exception {
    try {
      Log log = open(disk);
      try {
        promises.check(log);
        disk.goDownAt(1 + random.nextInt(1500));
        storm(log);
      } finally {
        log.close();
      }
    } catch (IOException down) {
      if (down instanceof DamagedLogException || !disk.isDown()) {
        throw new AssertionError("not for the machine being down", down);
      }
    }
    assertThat(broken).isEmpty();
  }

  private void storm(Log log) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < APPENDERS; i++) {
      Random own = new Random(random.nextLong());
      threads.add(Thread.ofVirtual().start(() -> append(log, own)));
    }
    Random own = new Random(random.nextLong());
    threads.add(Thread.ofVirtual().start(() -> advance(log, own)));
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(20))).as("ends").isTrue();
    }
  }

  private void append(Log log, Random own) {
    try {
      long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      for (int i = 0; i < 60 && System.nanoTime() < giveUp; i++) {
        List<String> batch = new ArrayList<>();
        int count = 1 + own.nextInt(6);
        for (int j = 0; j < count; j++) {
          batch.add(
              own.nextInt(5) == 0
                  ? promises.anyAttempted(own)
                  : Records.text("r", texts.incrementAndGet(), 10 + own.nextInt(200)));
        }
        promises.attempt(batch);
        AppendBatch appendBatch = Records.draft(batch);
        AppendResult result = log.append(appendBatch, acknowledging(batch, appendBatch));
        if (result == AppendResult.CLOSED) {
          return;
        }
        if (result != AppendResult.TAKEN || own.nextInt(4) == 0) {
          LockSupport.parkNanos(own.nextInt(200_000));
        }
      }
    } catch (RuntimeException | Error bad) {
      broken.add(bad);
    }
  }

  private AppendCompletion acknowledging(List<String> batch, AppendBatch appendBatch) {
    return new AppendCompletion() {
      @Override
      protected void durable() {
        try {
          promises.acknowledge(batch, appendBatch, this);
        } catch (AssertionError bad) {
          broken.add(bad);
        }
      }
    };
  }

  private void advance(Log log, Random own) {
    try {
      for (int i = 0; i < 40 && !log.isFailed(); i++) {
        promises.advance(log, i, own);
        LockSupport.parkNanos(own.nextInt(200_000));
      }
    } catch (IOException | InterruptedException down) {
      // The next opening finds out how far this one got.
    } catch (RuntimeException | Error bad) {
      broken.add(bad);
    }
  }

  private Log open(PowerLossDisk.Process disk) throws IOException, InterruptedException {
    LogContext context =
        new LogContext(
            disk,
            InstantSource.system(),
            new Random(random.nextLong()),
            Records.KEYS,
            LogMeter.NONE,
            failure -> {
              if (!(failure instanceof IOException)) {
                broken.add(failure);
              }
            });
    return Log.open(CONFIG, context, PowerLossLife.DATA, new NodeId(7), new LogWaits(0, 1, 1));
  }
}
