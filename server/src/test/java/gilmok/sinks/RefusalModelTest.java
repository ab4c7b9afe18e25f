package gilmok.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.log.Stream;
import gilmok.sinks.Receipt.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A sink that refuses some records for good and, at random times, everything. In the end each
 * poison record is set aside and each good one delivered. A few good ones may be set aside too, if
 * the sink begins to refuse everything while one is judged. A seed that fails is in the test's
 * name; {@code -Dgilmok.seed=N} runs it alone.
 */
@Tag("unit")
@Execution(ExecutionMode.CONCURRENT)
@Tag("soak")
class RefusalModelTest {
  private static final int STEPS = 40;

  @TempDir Path data;

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everything_atRandom_isJudgedRight(long seed) throws Exception {
    Random random = new Random(seed);
    Set<Long> poison = new HashSet<>();
    int share = 2 + random.nextInt(30);
    for (long sequence = 1; sequence < 10_000; sequence++) {
      // Poison comes in runs, as one phone sends it.
      boolean isNeighbour = poison.contains(sequence - 1) && random.nextInt(3) > 0;
      if (isNeighbour || random.nextInt(3 * share) == 0) {
        poison.add(sequence);
      }
    }
    AtomicBoolean isClosed = new AtomicBoolean();
    int turns = 0;
    ScriptedSink sink =
        new ScriptedSink(random.nextBoolean())
            .usually(
                batch ->
                    isClosed.get()
                            || ScriptedSink.sequences(batch).stream().anyMatch(poison::contains)
                        ? new Verdict.Refused("no")
                        : ScriptedSink.done(batch));
    int concurrency = sink.isOrdered() ? 1 : 1 + random.nextInt(4);
    Tuning tuning = new Tuning(1 + random.nextInt(30), 1 << 16, Duration.ofMillis(1), concurrency);
    SinksRig.Booked book = new SinksRig.Booked();
    try (SinksRig rig = new SinksRig(data)) {
      SinkConfig config = SinksRig.config(tuning, EnumSet.of(Stream.TRACES));
      Shipper shipper = rig.start(config, sink, book);
      int next = 1;
      for (int step = 0; step < STEPS; step++) {
        int count = 1 + random.nextInt(60);
        rig.appendTraces(next, count);
        next += count;
        boolean isNow = random.nextInt(3) == 0;
        turns += isNow && isClosed.compareAndSet(false, true) ? 1 : 0;
        isClosed.set(isNow);
        if (random.nextInt(10) == 0) {
          shipper.kill();
          book = book.afterCrash();
          shipper = rig.start(config, sink, book);
        }
        SinksRig.assertAddsUp(shipper);
      }
      isClosed.set(false);
      while (shipper.rows().getFirst().waiting() > 0) {
        rig.appendTraces(next++, 1);
        LockSupport.parkNanos(10_000_000);
        assertThat(next).as("%s", shipper.status()).isLessThan(9_000);
      }
      assertJudged(rig, book, poison, turns);
      SinksRig.assertAddsUp(shipper);
    }
  }

  private static void assertJudged(SinksRig rig, SinksRig.Booked book, Set<Long> poison, int turns)
      throws Exception {
    Set<Long> setAside = new HashSet<>();
    Set<Long> delivered = new HashSet<>();
    for (Receipt receipt : book.written()) {
      Set<Long> into = receipt.outcome() == Outcome.QUARANTINED ? setAside : delivered;
      for (int run = 0; run < receipt.sequences().runs(); run++) {
        LongStream.rangeClosed(receipt.sequences().first(run), receipt.sequences().last(run))
            .forEach(into::add);
      }
    }
    Set<Long> wrong = new HashSet<>(setAside);
    wrong.removeAll(poison);
    assertThat(delivered).doesNotContainAnyElementsOf(poison);
    assertThat(wrong).hasSizeLessThanOrEqualTo(RefusalBreaker.VAIN_MAX * turns);
    rig.read()
        .forEach(
            (sequence, text) -> {
              if (text.startsWith(Stream.TRACES.label() + " ")) {
                assertThat(setAside.contains(sequence) || delivered.contains(sequence)).isTrue();
              }
            });
  }
}
