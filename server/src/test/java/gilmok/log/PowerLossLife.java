package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The life of one log through several crashes, all of it decided by a seed: how much is appended in
 * which groups, when cursors advance, when the deduplication snapshot is saved and segments are
 * deleted, at which operation of the disk the process or the machine dies (also while opening and
 * closing), and what the power loss leaves.
 *
 * <p>Only one thread at a time touches the disk: the steps run on the writer's thread, in the last
 * completion of a group, once the preallocator is idle. So a seed always gives the same operations
 * in the same order.
 */
final class PowerLossLife {
  static final Path DATA = Path.of("/data");
  private static final int GROUP_BYTES = 1900;
  private static final LogConfig CONFIG =
      new LogConfig(4096, GROUP_BYTES, 100, 1L << 40, Duration.ZERO, 8000, Duration.ofDays(1));
  private static final LogWaits PACE = new LogWaits(0, 3_600_000, 3_600_000);

  private final Random random;
  private final PowerLossDisk machine;
  private final Promises promises = new Promises();
  private final AtomicLong now =
      new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
  private final InstantSource clock = () -> Instant.ofEpochMilli(now.get());
  private final List<String> story = new ArrayList<>();
  private final Semaphore mayPrepare = new Semaphore(0);
  private int texts;

  PowerLossLife(long seed, PowerLossDisk.Lie lie) {
    random = new Random(seed);
    machine = new PowerLossDisk(random.nextLong(), lie);
  }

  /** What has happened so far, to explain a seed that fails. */
  String story() {
    return String.join("\n", story);
  }

  /** How many operations the disk has done: the same for the same seed. */
  long operations() {
    return machine.operations();
  }

  /** Runs this life. Throws when a promise is broken. */
  void live() throws Exception {
    int crashes = 1 + random.nextInt(5);
    for (int i = 0; i < crashes; i++) {
      PowerLossDisk.Process disk = machine.boot();
      if (random.nextInt(3) == 0) {
        goDownWithin(disk, 50);
      }
      run(disk);
      if (random.nextInt(3) == 0) {
        story.add("killed");
        machine.kill();
      } else {
        story.add("lost power");
        machine.losePower();
      }
    }
    PowerLossDisk.Process disk = machine.boot();
    Log log = open(disk);
    promises.check(log);
    promises.checkRepeats(log, GROUP_BYTES, () -> awaitReady(log, disk));
    log.close();
    LogIntegrity.check(disk, DATA);
    machine.kill();
  }

  private void run(PowerLossDisk.Process disk) throws Exception {
    try {
      run(open(disk), disk);
    } catch (IOException down) {
      mustBeDown(disk, down);
    }
  }

  private void run(Log log, PowerLossDisk.Process disk) throws Exception {
    try {
      awaitReady(log, disk);
      promises.check(log);
      if (random.nextInt(4) == 0) {
        promises.checkRepeats(log, GROUP_BYTES, () -> awaitReady(log, disk));
      }
      if (random.nextInt(6) == 0) {
        goDownWithin(disk, 1);
        return;
      }
      goDownWithin(disk, 1 << (1 + random.nextInt(9)));
      Script script = new Script(log, disk, 1 + random.nextInt(40));
      script.start();
    } catch (IOException down) {
      mustBeDown(disk, down);
    } finally {
      close(log, disk);
    }
  }

  private Log open(PowerLossDisk.Process disk) throws IOException, InterruptedException {
    now.addAndGet(1000);
    LogContext context =
        new LogContext(
            new Gated(disk),
            clock,
            new Random(random.nextLong()),
            Records.KEYS,
            LogMeter.NONE,
            this::failed);
    return Log.open(CONFIG, context, DATA, new NodeId(7), PACE);
  }

  private volatile Runnable onFailure = () -> {};
  private final AtomicReference<Throwable> broken = new AtomicReference<>();

  private void failed(Throwable failure) {
    if (!(failure instanceof IOException)) {
      broken.compareAndSet(null, failure);
    }
    onFailure.run();
  }

  private void close(Log log, PowerLossDisk.Process disk) throws Exception {
    try {
      log.close();
      story.add(disk.isDown() ? "went down" : "closed");
    } catch (IOException down) {
      mustBeDown(disk, down);
    }
    Throwable bad = broken.get();
    if (bad != null) {
      throw new AssertionError("the writer failed", bad);
    }
  }

  private void goDownWithin(PowerLossDisk.Process disk, int operations) {
    int at = 1 + random.nextInt(operations);
    story.add("goes down at operation " + at + " from " + machine.operations());
    disk.goDownAt(at);
  }

  private void mustBeDown(PowerLossDisk.Process disk, IOException failure) {
    if (failure instanceof DamagedLogException || !disk.isDown()) {
      throw new AssertionError("not for the machine being down: " + failure, failure);
    }
    story.add("went down: " + failure.getMessage());
  }

  private void awaitReady(Log log, PowerLossDisk.Process disk) {
    if (!log.isNextSegmentReady()) {
      mayPrepare.drainPermits();
      mayPrepare.release();
    }
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!log.isNextSegmentReady() && !disk.isDown()) {
      assertThat(System.nanoTime()).as("waiting for a segment").isLessThan(giveUp);
      LockSupport.parkNanos(5_000);
    }
  }

  /** Lets the preallocator begin only when every other thread waits for it. */
  private final class Gated extends ForwardingDisk {
    private final Thread opener = Thread.currentThread();

    Gated(Disk disk) {
      super(disk);
    }

    @Override
    public File create(Path path) throws IOException {
      boolean prepares = path.getFileName().toString().startsWith(SegmentFormat.PREPARED_PREFIX);
      if (prepares && !Thread.currentThread().equals(opener)) {
        try {
          mayPrepare.acquire();
        } catch (InterruptedException closing) {
          Thread.currentThread().interrupt();
          throw new IOException("closing", closing);
        }
      }
      return super.create(path);
    }
  }

  /** The steps of one run. The last completion of each group takes the next step. */
  private final class Script {
    private final Log log;
    private final PowerLossDisk.Process disk;
    private final CountDownLatch over = new CountDownLatch(1);
    private int stepsLeft;
    private int outstanding;

    Script(Log log, PowerLossDisk.Process disk, int steps) {
      this.log = log;
      this.disk = disk;
      this.stepsLeft = steps;
    }

    void start() throws InterruptedException {
      onFailure = over::countDown;
      append(List.of(newText(20)));
      assertThat(over.await(20, TimeUnit.SECONDS)).as("the script ends").isTrue();
      onFailure = () -> {};
    }

    private void step() {
      try {
        awaitReady(log, disk);
        now.addAndGet(1 + random.nextInt(100));
        if (random.nextInt(4) == 0) {
          promises.advance(log, random.nextInt(2), random);
        }
        if (random.nextInt(8) == 0) {
          log.keep();
        }
        if (stepsLeft-- == 0 || disk.isDown()) {
          over.countDown();
          return;
        }
        appendSome();
      } catch (IOException down) {
        over.countDown();
        mustBeDown(disk, down);
      } catch (InterruptedException | RuntimeException | Error bad) {
        broken.compareAndSet(null, bad);
        over.countDown();
      }
    }

    /** Appends several batches: the first makes the group, the others join it. */
    private void appendSome() {
      int drafts = 1 + random.nextInt(4);
      int bytes = 0;
      for (int i = 0; i < drafts; i++) {
        List<String> batch = new ArrayList<>();
        int records = 1 + random.nextInt(5);
        for (int j = 0; j < records; j++) {
          String text =
              random.nextInt(4) == 0
                  ? promises.anyAttempted(random)
                  : newText(random.nextInt(10) == 0 ? 1200 : 10 + random.nextInt(100));
          if (bytes + AppendBatch.FRAME_BYTES + text.length() <= GROUP_BYTES) {
            batch.add(text);
            bytes += AppendBatch.FRAME_BYTES + text.length();
          }
        }
        append(batch);
      }
    }

    private void append(List<String> batch) {
      promises.attempt(batch);
      AppendBatch appendBatch = Records.draft(batch);
      outstanding++;
      AppendResult result =
          log.append(
              appendBatch,
              new AppendCompletion() {
                @Override
                protected void durable() {
                  acknowledged(batch, appendBatch, this);
                }
              });
      // A segment is ready and the group's bytes fit, so only a dead log refuses.
      assertThat(result).isIn(AppendResult.TAKEN, AppendResult.CLOSED, AppendResult.FULL);
      if (result != AppendResult.TAKEN) {
        assertThat(disk.isDown()).as("refused with " + result).isTrue();
        over.countDown();
      }
    }

    private void acknowledged(
        List<String> batch, AppendBatch appendBatch, AppendCompletion completion) {
      try {
        promises.acknowledge(batch, appendBatch, completion);
      } catch (AssertionError bad) {
        broken.compareAndSet(null, bad);
      }
      if (--outstanding == 0) {
        step();
      }
    }

    private String newText(int length) {
      return Records.text("r", ++texts, length);
    }
  }
}
