package gilmok.sinks;

import static gilmok.sinks.SinksRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.WakeSignal;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.LogConfig.WhenFull;
import gilmok.log.Stream;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A sink acknowledges while the disk hangs, or fails for good. */
@Tag("unit")
@ResourceLock("java.util.logging")
class AckDiskTest {
  private static final Tuning TUNING = new Tuning(10, 1 << 16, Duration.ofMinutes(1), 4);
  private static final ForceHookDisk.Hook NOTHING = () -> {};

  @TempDir Path data;
  private final AtomicReference<ForceHookDisk.Hook> hook = new AtomicReference<>(NOTHING);
  private final ScriptedSink sink = new ScriptedSink(false);
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();

  /** How many were acknowledged before the disk had trouble. */
  private int before;

  private SinksRig open() throws Exception {
    ForceHookDisk disk =
        new ForceHookDisk(new FileDisk(), () -> Objects.requireNonNull(hook.get()).beforeForce());
    return new SinksRig(data, SinksRig.filling(WhenFull.REFUSE), disk);
  }

  /** Starts the sink, and waits until records may be shown to it before they are forced. */
  private AckWaits begin(SinksRig rig) throws Exception {
    Shipper shipper = rig.startAwaited(sink, TUNING, Duration.ofMinutes(1));
    AckWaits waits = Objects.requireNonNull(shipper.waits());
    AtomicBoolean isEarly = new AtomicBoolean();
    WakeSignal[] shown = new WakeSignal[1];
    shown[0] =
        new WakeSignal(
            () -> {
              isEarly.compareAndSet(false, rig.log.early().written() > rig.log.durable());
              shown[0].arm();
            });
    shown[0].arm();
    rig.log.early().onWritten(shown[0]);
    int count = 0;
    while (!isEarly.get()) {
      long last = append(rig, waits, "begin " + count);
      int all = ++count;
      await(() -> acknowledged.get() == all && rig.log.durable() == last);
    }
    before = count;
    return waits;
  }

  private long append(SinksRig rig, AckWaits waits, String text) {
    AppendBatch batch = new AppendBatch();
    SinksRig.add(batch, Stream.TRACES, text);
    AppendCompletion taken = AppendCompletion.of(() -> {});
    await(() -> rig.log.append(batch, taken) == AppendResult.TAKEN);
    waits.await(
        taken.first(),
        taken.first(),
        new AckWaits.Waiter() {
          @Override
          public void acknowledged() {
            acknowledged.incrementAndGet();
          }

          @Override
          public void late() {
            late.incrementAndGet();
          }
        });
    return taken.first();
  }

  @Test
  void forceHangs_whatTheSinkHasIsAcknowledged_andNotSavedAsSettled() throws Exception {
    try (SinksRig rig = open()) {
      AckWaits waits = begin(rig);
      CountDownLatch goesOn = new CountDownLatch(1);
      hook.set(
          () -> {
            try {
              goesOn.await();
            } catch (InterruptedException stopped) {
              throw new IOException(stopped);
            }
          });
      long seen = append(rig, waits, "hung");
      await(() -> acknowledged.get() == before + 1);
      assertThat(rig.log.durable()).as("it is not on disk").isLessThan(seen);
      assertThat(rig.log.cursor("ship.scripted").sequence())
          .as("the cursor stays behind what is durable")
          .isLessThan(seen);
      hook.set(NOTHING);
      goesOn.countDown();
      await(() -> rig.log.durable() == seen);
      await(() -> sequence(rig) == seen);
      assertThat(late).hasValue(0);
    }
  }

  private static long sequence(SinksRig rig) {
    return rig.log.sequenceOf("ship.scripted");
  }

  @Test
  void forceFails_noSequenceThatTheSinkHasIsGivenAgain() throws Exception {
    Logger logger = Logger.getLogger("gilmok");
    logger.setLevel(Level.OFF);
    try {
      long seen;
      try (SinksRig rig = open()) {
        AckWaits waits = begin(rig);
        CountDownLatch fails = new CountDownLatch(1);
        hook.set(
            () -> {
              try {
                fails.await();
              } catch (InterruptedException stopped) {
                throw new IOException(stopped);
              }
              throw new IOException("Input/output error");
            });
        seen = append(rig, waits, "hung");
        await(() -> acknowledged.get() == before + 1);
        fails.countDown();
        await(() -> rig.log.isFailed());
        assertThat(late).hasValue(0);
      }
      hook.set(NOTHING);
      try (SinksRig again = open()) {
        assertThat(again.log.durable()).as("the next is new").isGreaterThanOrEqualTo(seen);
        Shipper shipper = again.startAwaited(sink, TUNING, Duration.ofMinutes(1));
        AckWaits waits = Objects.requireNonNull(shipper.waits());
        long next = append(again, waits, "next");
        assertThat(next).isGreaterThan(seen);
        await(() -> acknowledged.get() == before + 2);
        SinksRig.awaitShipped(shipper);
      }
    } finally {
      logger.setLevel(null);
    }
  }
}
