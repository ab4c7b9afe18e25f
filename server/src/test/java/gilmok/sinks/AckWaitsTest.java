package gilmok.sinks;

import static gilmok.sinks.ScriptedSink.counts;
import static gilmok.sinks.ScriptedSink.done;
import static gilmok.sinks.ScriptedSink.indexes;
import static gilmok.sinks.SinksRig.await;
import static gilmok.sinks.SinksRig.awaitShipped;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.Stream;
import gilmok.sinks.Verdict.Cause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who waits for a sink is told when it has acknowledged, or that it has not. */
@Tag("unit")
class AckWaitsTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(20);

  /** A batch would wait for others for a minute, if nobody waited for it. */
  private static final Tuning SLOW = new Tuning(10, 1 << 16, Duration.ofMinutes(1), 4);

  @TempDir Path data;
  private SinksRig rig;
  private final ScriptedSink sink = new ScriptedSink(false);

  @BeforeEach
  void open() throws IOException, InterruptedException {
    rig = new SinksRig(data);
  }

  @AfterEach
  void close() throws IOException {
    rig.close();
    assertThat(rig.failures).isEmpty();
  }

  /** An append that waits for the sink, and what it was told. */
  private static final class Append implements AckWaits.Waiter {
    final AppendBatch batch = new AppendBatch();
    final AppendCompletion taken = AppendCompletion.of(() -> {});
    volatile int acknowledged;
    volatile int late;

    @Override
    public synchronized void acknowledged() {
      acknowledged++;
    }

    @Override
    public synchronized void late() {
      late++;
    }

    boolean isOver() {
      return acknowledged + late > 0;
    }
  }

  private Append append(AckWaits waits, String... texts) {
    Append append = new Append();
    for (String text : texts) {
      SinksRig.add(append.batch, Stream.TRACES, text);
    }
    await(() -> rig.log.append(append.batch, append.taken) == AppendResult.TAKEN);
    if (append.batch.repeatCount() > 0) {
      waits.awaitAll(append.taken.given(), append);
    } else {
      long first = append.taken.first();
      waits.await(first, first + append.taken.stored() - 1, append);
    }
    return append;
  }

  private AckWaits start(Duration wait) throws IOException, InterruptedException {
    return waits(rig.startAwaited(sink, SLOW, wait));
  }

  private static AckWaits waits(Shipper shipper) {
    return Objects.requireNonNull(shipper.waits());
  }

  private static void assertAcknowledged(Append append) {
    await(append::isOver);
    assertThat(append.acknowledged).as("acknowledged").isEqualTo(1);
    assertThat(append.late).as("late").isZero();
  }

  private static void assertLate(Append append) {
    await(append::isOver);
    assertThat(append.late).as("late").isEqualTo(1);
    assertThat(append.acknowledged).as("acknowledged").isZero();
  }

  @Test
  void aBatch_doesNotWaitForOthers() throws Exception {
    assertAcknowledged(append(start(LONG), "a", "b"));
    assertThat(sink.sequences()).containsExactly(1L, 2L);
  }

  @Test
  void part_isAcknowledgedOnlyWithTheRest() throws Exception {
    CountDownLatch rest = new CountDownLatch(1);
    sink.then(
            batch ->
                new Verdict.RetryThese(
                    indexes(1), counts(Stream.TRACES, 1), "place", Cause.FAILED, "one"))
        .then(
            batch -> {
              rest.await();
              return done(batch);
            });
    Append append = append(start(LONG), "a", "b");
    await(() -> sink.sent().size() == 2);
    assertThat(append.isOver()).isFalse();
    rest.countDown();
    assertAcknowledged(append);
  }

  @Test
  void others_areNotHeldUpByOneThatIsRetried() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    sink.then(
        batch -> {
          first.await();
          return done(batch);
        });
    AckWaits waits = start(LONG);
    Append stuck = append(waits, "a");
    await(() -> !sink.sent().isEmpty());
    assertAcknowledged(append(waits, "b"));
    assertThat(stuck.isOver()).isFalse();
    first.countDown();
    assertAcknowledged(stuck);
  }

  @Test
  void repeat_waitsForItsOriginal() throws Exception {
    CountDownLatch original = new CountDownLatch(1);
    sink.then(
        batch -> {
          original.await();
          return done(batch);
        });
    AckWaits waits = start(LONG);
    Append first = append(waits, "a");
    await(() -> !sink.sent().isEmpty());
    Append repeat = append(waits, "a");
    assertThat(repeat.taken.stored()).isZero();
    assertAcknowledged(append(waits, "b"));
    assertThat(repeat.isOver()).isFalse();
    original.countDown();
    assertAcknowledged(first);
    assertAcknowledged(repeat);
    assertAcknowledged(append(waits, "a"));
  }

  @Test
  void refusedForGood_countsWhenItIsInQuarantine() throws Exception {
    sink.then(
        batch ->
            new Verdict.RejectThese(
                indexes(0), "lat", "wrong", new Verdict.Done(counts(Stream.TRACES, 1), "place")));
    Append append = append(start(LONG), "a", "b");
    assertAcknowledged(append);
    await(() -> rig.log.accepted().of(Stream.QUARANTINE) == 1);
  }

  @Test
  void noAnswer_isLate_andOthersNeedNotWaitUntilThereIsOne() throws Exception {
    CountDownLatch back = new CountDownLatch(1);
    sink.usually(
        batch -> {
          back.await();
          return done(batch);
        });
    AckWaits waits = start(SHORT);
    Append append = append(waits, "a");
    assertLate(append);
    assertThat(waits.isAway()).isTrue();
    back.countDown();
    await(() -> !waits.isAway());
    assertThat(waits.mayWait()).isTrue();
    assertAcknowledged(append(waits, "b"));
    assertThat(append.acknowledged).as("told once").isZero();
  }

  @Test
  void away_oneInAWhileMayWaitAllTheSame() throws Exception {
    sink.usually(batch -> new Verdict.Retry(Cause.FAILED, "away"));
    AckWaits waits = start(SHORT);
    assertLate(append(waits, "a"));
    await(waits::mayWait);
    assertThat(waits.isAway()).as("it is still away").isTrue();
  }

  @Test
  void aRecordThatOnlyTheNextOneCanJudge_doesNotKeepTheSinkAwayForEver() throws Exception {
    // Refused alone, it waits for another record to show that it is not the destination's fault.
    sink.usually(
        batch ->
            batch.sequence(0) == 1 && batch.size() == 1
                ? new Verdict.Refused("this one")
                : batch.sequence(0) == 1 ? new Verdict.Refused("one of them") : done(batch));
    AckWaits waits = start(SHORT);
    assertLate(append(waits, "a"));
    await(
        () -> {
          if (!waits.mayWait()) {
            return false;
          }
          append(waits, "b" + System.nanoTime());
          return rig.log.accepted().of(Stream.QUARANTINE) == 1;
        });
    await(() -> !waits.isAway());
  }

  @Test
  void paused_isAway_andResumedItIsNot() throws Exception {
    Shipper shipper = rig.startAwaited(sink, SLOW, LONG);
    AckWaits waits = waits(shipper);
    assertAcknowledged(append(waits, "a"));
    shipper.pause();
    assertThat(waits.isAway()).isTrue();
    assertThat(waits.mayWait()).isFalse();
    Append append = append(waits, "b");
    assertThat(append.isOver()).isFalse();
    shipper.resume();
    assertAcknowledged(append);
    assertThat(waits.isAway()).isFalse();
  }

  @Test
  void rewound_whatIsSentAgainIsAcknowledgedOnce() throws Exception {
    Shipper shipper = rig.startAwaited(sink, SLOW, LONG);
    AckWaits waits = waits(shipper);
    Append before = append(waits, "a", "b");
    assertAcknowledged(before);
    shipper.rewind(1);
    await(() -> sink.sequences().size() == 4); // the loop rewinds when it comes to it
    Append after = append(waits, "c");
    assertAcknowledged(after);
    awaitShipped(shipper);
    assertThat(sink.sequences()).containsExactly(1L, 2L, 1L, 2L, 3L);
    assertAcknowledged(before);
  }

  @Test
  void rewoundForwards_theSinkIsNotAwayForWhatItIsNotSentAnyMore() throws Exception {
    AtomicBoolean isBack = new AtomicBoolean();
    sink.usually(
        batch -> isBack.get() ? done(batch) : new Verdict.Retry(Cause.UNREACHABLE, "away"));
    Shipper shipper = rig.startAwaited(sink, SLOW, SHORT);
    AckWaits waits = waits(shipper);
    assertLate(append(waits, "a"));
    await(() -> rig.log.durable() == 1);
    shipper.rewind(2);
    assertThat(waits.isAway()).isFalse();
    isBack.set(true);
    Append next = append(waits, "b");
    await(next::isOver);
    await(() -> sink.sequences().contains(2L));
  }

  @Test
  void stopped_nobodyWaits() throws Exception {
    sink.usually(batch -> new Verdict.Retry(Cause.FAILED, "away"));
    Shipper shipper = rig.startAwaited(sink, SLOW, LONG);
    AckWaits waits = waits(shipper);
    Append append = append(waits, "a");
    shipper.stop(Duration.ZERO);
    assertLate(append);
    assertThat(waits.mayWait()).isFalse();
    assertLate(append(waits, "b"));
  }

  @Test
  void started_whatWasSettledBeforeIsNotSentAgain() throws Exception {
    Shipper shipper = rig.startAwaited(sink, SLOW, LONG);
    assertAcknowledged(append(waits(shipper), "a", "b"));
    shipper.stop(Duration.ofSeconds(5));
    ScriptedSink next = new ScriptedSink(false);
    Shipper again = rig.startAwaited(next, SLOW, LONG);
    assertAcknowledged(append(waits(again), "c"));
    awaitShipped(again);
    assertThat(next.sequences()).containsExactly(3L);
  }
}
