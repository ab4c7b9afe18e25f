package gilmok.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.background.WakeSignal;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.DamagedLogException;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.LogReader;
import gilmok.log.PowerLossDisk;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.observe.SlowRequests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A sink acknowledges in place of the disk, and the machine loses its power at any operation of the
 * disk, several times in one life:
 *
 * <ul>
 *   <li>everything that was acknowledged is at the sink or in the log;
 *   <li>no sequence comes to the sink with two contents, and none is in the log with another;
 *   <li>the ledger's residue is 0 whenever a log is opened again, and at the end;
 *   <li>the log opens: the sink's cursor is never ahead of what is durable.
 * </ul>
 *
 * <p>The sink keeps what it acknowledged, whatever happens to the machine.
 */
@Tag("unit")
@Tag("soak")
@ResourceLock("java.util.logging")
final class AckPowerLossTest {
  private static final Path DATA = Path.of("/data");
  private static final LogConfig CONFIG =
      new LogConfig(
          1 << 14, 1 << 12, 200, 1L << 30, Duration.ofDays(1), 50_000, Duration.ofMillis(1));
  private static final Set<String> LOGGERS = Set.of("gilmok.log", "gilmok.sinks");

  @BeforeAll
  static void hush() {
    LOGGERS.forEach(name -> Logger.getLogger(name).setLevel(Level.OFF));
  }

  @AfterAll
  static void speak() {
    LOGGERS.forEach(name -> Logger.getLogger(name).setLevel(null));
  }

  @Test
  void anyPowerLoss_losesNothingAcknowledged_givesNoSequenceTwice() {
    int[] tally = {0, 0};
    Seeds.each(
        2000,
        seed -> {
          Life life = new Life(seed);
          life.live();
          tally[0] += life.acknowledged.size();
          tally[1] += life.lostFromLog;
        });
    assertThat(tally[0]).as("acknowledged").isPositive();
    assertThat(tally[1]).as("acknowledged, and only the sink has it").isPositive();
  }

  private static final class Life {
    private final Random random;
    private final PowerLossDisk machine;
    private final Engine engine;
    private final Set<String> acknowledged = new HashSet<>();
    private final Map<Long, String> logged = new HashMap<>();
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private final SinksRig.Booked book = new SinksRig.Booked();
    private final AtomicBoolean isEarly = new AtomicBoolean();
    private int texts;
    private int lostFromLog;

    Life(long seed) {
      random = new Random(seed);
      machine = new PowerLossDisk(random.nextLong(), PowerLossDisk.Lie.NONE);
      engine = new Engine(random.nextLong());
    }

    void live() throws Exception {
      int crashes = 1 + random.nextInt(3);
      for (int i = 0; i < crashes; i++) {
        run(machine.boot(), true);
        machine.losePower();
      }
      engine.isGood = true;
      run(machine.boot(), false);
      assertThat(broken).isEmpty();
      assertThat(engine.twice).as("sequences with two contents").isEmpty();
      for (String text : acknowledged) {
        assertThat(engine.texts.containsKey(text)).as("acknowledged: %s", text).isTrue();
      }
      lostFromLog = (int) acknowledged.stream().filter(text -> !logged.containsValue(text)).count();
    }

    private void run(PowerLossDisk.Process disk, boolean isCut) throws Exception {
      @Nullable Log log = null;
      @Nullable Shipper shipper = null;
      try (Meters meters = new Meters()) {
        try {
          log = open(disk);
          check(log);
          log.early().begin();
          isEarly.set(false);
          watch(log);
          shipper = ship(log, meters);
          SinksRig.assertAddsUp(shipper);
          if (isCut) {
            disk.goDownAt(1 + random.nextInt(400));
          }
          work(log, shipper);
          if (!isCut) {
            SinksRig.awaitShipped(shipper);
            check(log);
          }
        } catch (IOException | RuntimeException down) {
          boolean isDown = down instanceof IOException || down.getCause() instanceof IOException;
          if (!isCut || down instanceof DamagedLogException || !isDown) {
            throw down;
          }
        } finally {
          stop(log, shipper, isCut);
        }
      }
    }

    private static void stop(@Nullable Log log, @Nullable Shipper shipper, boolean isCut)
        throws Exception {
      if (shipper != null) {
        if (isCut) {
          shipper.kill();
        } else {
          shipper.stop(Duration.ofSeconds(5));
        }
      }
      if (log != null) {
        try {
          log.close();
        } catch (IOException down) {
          if (!isCut) {
            throw down;
          }
        }
      }
    }

    private Log open(PowerLossDisk.Process disk) throws IOException, InterruptedException {
      return Log.open(
          CONFIG,
          new LogContext(
              // Slowly, so that the sink answers meanwhile.
              new ForceHookDisk(
                  disk, () -> LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(800_000))),
              InstantSource.system(),
              new Random(random.nextLong()),
              SinksRig.KEYS,
              LogMeter.NONE,
              failure -> {
                if (!(failure instanceof IOException)) {
                  broken.add(failure);
                }
              }),
          DATA,
          SinksRig.NODE);
    }

    private Shipper ship(Log log, Meters meters) throws IOException, InterruptedException {
      SinksContext context =
          new SinksContext(
              InstantSource.system(),
              new Random(random.nextLong()),
              SinksRig.KEYS,
              meters,
              new SlowRequests(System::nanoTime),
              Duration.ofMillis(1 + random.nextInt(5)),
              new AckPlan("scripted", Duration.ofMillis(500)));
      SinkConfig config = SinksRig.config(SinksRig.QUICK, SinksRig.ALL);
      return Shipper.start(config, engine, book, log, context);
    }

    /** Notes when records are shown before they are forced. */
    private void watch(Log log) {
      WakeSignal[] shown = new WakeSignal[1];
      shown[0] =
          new WakeSignal(
              () -> {
                isEarly.compareAndSet(false, log.early().written() > log.durable());
                shown[0].arm();
              });
      shown[0].arm();
      log.early().onWritten(shown[0]);
    }

    /** Appends, a few at a time, and waits for the sink. */
    private void work(Log log, Shipper shipper) throws InterruptedException {
      AckWaits waits = Objects.requireNonNull(shipper.waits());
      int steps = 1 + random.nextInt(60);
      int waited = 0;
      for (int i = 0; i < steps && !log.isFailed(); i += isEarly.get() || ++waited > 40 ? 1 : 0) {
        AppendBatch batch = new AppendBatch();
        Set<String> own = new HashSet<>();
        int records = 1 + random.nextInt(4);
        for (int j = 0; j < records; j++) {
          String text = "r" + ++texts + "x".repeat(random.nextInt(200));
          own.add(text);
          SinksRig.add(batch, random.nextInt(3) == 0 ? Stream.LOGS : Stream.TRACES, text);
        }
        AppendCompletion taken = AppendCompletion.of(() -> {});
        AppendResult result = log.append(batch, taken);
        if (result != AppendResult.TAKEN) {
          LockSupport.parkNanos(200_000);
          continue;
        }
        waits.await(taken.first(), taken.first() + taken.stored() - 1, new Noted(own));
        if (!isEarly.get()) {
          LockSupport.parkNanos(500_000); // until sequences are reserved
        } else if (random.nextInt(3) == 0) {
          LockSupport.parkNanos(random.nextInt(400_000));
        }
      }
      long giveUp = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(4);
      while (!log.isFailed() && System.nanoTime() < giveUp) {
        LockSupport.parkNanos(100_000);
      }
    }

    /** Checks what a crash has left. */
    private void check(Log log) throws IOException {
      try (LogReader reader = log.reader(1)) {
        while (reader.next()) {
          String text =
              new String(reader.bytes(), reader.offset(), reader.length(), StandardCharsets.UTF_8);
          if (reader.stream() != Stream.QUARANTINE) {
            String before = logged.putIfAbsent(reader.sequence(), text);
            assertThat(before == null || before.equals(text)).as("in the log").isTrue();
            String sent = engine.sequences.get(reader.sequence());
            assertThat(sent == null || sent.equals(text)).as("at the sink").isTrue();
          }
        }
      }
    }

    private final class Noted implements AckWaits.Waiter {
      private final Set<String> own;

      Noted(Set<String> own) {
        this.own = own;
      }

      @Override
      public void acknowledged() {
        synchronized (acknowledged) {
          acknowledged.addAll(own);
        }
      }

      @Override
      public void late() {}
    }
  }

  /** Keeps what it acknowledges. Fails at times, wholly or in part, until it is told to be good. */
  private static final class Engine implements Sink {
    private final Random random;
    private final Map<Long, String> sequences = new HashMap<>();
    private final Map<String, Long> texts = new HashMap<>();
    private final Set<Long> twice = new HashSet<>();
    private volatile boolean isGood;

    Engine(long seed) {
      random = new Random(seed);
    }

    @Override
    public String kind() {
      return "scripted";
    }

    @Override
    public boolean isOrdered() {
      return false;
    }

    @Override
    public synchronized Verdict send(Batch batch) {
      BitSet again = new BitSet();
      int failing = isGood ? 10 : random.nextInt(10);
      for (int i = 0; i < batch.size(); i++) {
        if (failing == 0 || (failing == 1 && random.nextBoolean())) {
          again.set(i);
        } else {
          keep(batch, i);
        }
      }
      if (again.isEmpty()) {
        return ScriptedSink.done(batch);
      }
      BitSet kept = new BitSet();
      kept.set(0, batch.size());
      kept.andNot(again);
      return new Verdict.RetryThese(
          again, ScriptedSink.counts(batch.only(kept)), "place", Verdict.Cause.FAILED, "some");
    }

    private void keep(Batch batch, int i) {
      String text =
          new String(batch.bytes(), batch.offset(i), batch.length(i), StandardCharsets.UTF_8);
      String before = sequences.putIfAbsent(batch.sequence(i), text);
      if (before != null && !before.equals(text)) {
        twice.add(batch.sequence(i));
      }
      texts.put(text, batch.sequence(i));
    }

    @Override
    public void close() {}
  }
}
