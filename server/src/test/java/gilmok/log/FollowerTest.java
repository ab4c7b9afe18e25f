package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A follower settles each record at least once, in order, whatever fails. */
@Tag("unit")
@Execution(ExecutionMode.CONCURRENT)
final class FollowerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final LogRig rig = new LogRig();
  private final Kept kept = new Kept();
  private BackgroundLoops loops = BackgroundLoops.unwatched();

  /** Keeps what it settles, and fails as often as the test sets. */
  private static final class Kept implements Follower.Taker {
    final List<String> settled = new CopyOnWriteArrayList<>();
    final AtomicInteger failuresLeft = new AtomicInteger();
    final Set<String> poisons = ConcurrentHashMap.newKeySet();
    final AtomicInteger failures = new AtomicInteger();
    final AtomicInteger bugsLeft = new AtomicInteger();
    final AtomicInteger failuresAfterBugs = new AtomicInteger();
    final Set<String> attempts = ConcurrentHashMap.newKeySet();
    private final List<String> taken = new ArrayList<>();

    @Override
    public boolean take(LogReader record) {
      taken.add(Records.text(record));
      return true;
    }

    @Override
    public void settle() throws IOException {
      if (!taken.isEmpty() && failuresLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        failures.incrementAndGet();
        throw new IOException("told to fail");
      }
      if (!taken.isEmpty() && bugsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        if (bugsLeft.get() == 0) {
          failuresLeft.set(failuresAfterBugs.get());
        }
        throw new IllegalStateException("told to fail");
      }
      attempts.addAll(taken);
      for (String one : taken) {
        if (poisons.contains(one)) {
          failures.incrementAndGet();
          throw new AssertionError(one + " cannot be processed");
        }
      }
      settled.addAll(taken);
      taken.clear();
    }

    @Override
    public void drop() {
      taken.clear();
    }

    @Override
    public void skipped(long records) {
      throw new AssertionError();
    }
  }

  @Test
  void everyRecord_isSettledInOrder_alsoWhatComesLater() throws Exception {
    try (Log log = rig.open()) {
      Records.append(log, "one", "two", "three");
      Follower follower = follower(log, 2);
      follower.start();
      LogRig.await(() -> kept.settled.size() == 3);
      Records.append(log, "four");
      LogRig.await(() -> kept.settled.size() == 4);
      assertThat(kept.settled).containsExactly("one", "two", "three", "four");
      LogRig.await(() -> follower.lagRecords() == 0);
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  /** Its loop would sleep for a day: only the log can have woken it. */
  @Test
  void atTheEnd_sleeps_untilTheNextRecordIsDurable() throws Exception {
    loops = new BackgroundLoops(_ -> {}, Duration.ofDays(1));
    try (Log log = rig.open()) {
      Follower follower = new Follower(log, "kept", 100, kept, loops, "nothing is kept");
      Cursor cursor = log.cursor("kept");
      follower.start();
      for (int i = 1; i <= 10; i++) {
        int count = i;
        Records.append(log, "record " + i);
        LogRig.await(() -> kept.settled.size() == count);
        if (i == 5) { // asleep, it saves its cursor all the same
          LogRig.await(() -> cursor.sequence() == count);
        }
        LockSupport.parkNanos(30_000_000L); // longer than the pause after a record
      }
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  @Test
  void whatFails_isSettledAgain() throws Exception {
    kept.failuresLeft.set(2);
    try (Log log = rig.open()) {
      Records.append(log, "one", "two", "three");
      Follower follower = follower(log, 100);
      follower.start();
      LogRig.await(() -> kept.settled.size() == 3);
      follower.stop(PATIENCE);
      assertThat(kept.settled).containsExactly("one", "two", "three");
      assertThat(kept.failures).hasValue(2);
    }
    rig.checkSound();
  }

  @Test
  void stoppedWhileItFails_leavesAllForTheNext_andStoppedInPeaceLeavesNothing() throws Exception {
    kept.failuresLeft.set(Integer.MAX_VALUE);
    try (Log log = rig.open()) {
      Records.append(log, "one");
      Follower follower = follower(log, 100);
      follower.start();
      LogRig.await(() -> kept.failures.get() > 0);
      follower.stop(PATIENCE);
    }
    kept.failuresLeft.set(0);
    for (int start = 0; start < 2; start++) {
      try (Log log = rig.open()) {
        Follower follower = follower(log, 100);
        follower.start();
        LogRig.await(() -> follower.lagRecords() == 0);
        follower.stop(PATIENCE);
      }
    }
    assertThat(kept.settled).containsExactly("one");
    rig.checkSound();
  }

  @Test
  void recordThatNobodyCanProcess_isPassedOverAndNamed_theOthersAreNot() throws Exception {
    kept.poisons.add("two");
    kept.poisons.add("three");
    try (Log log = rig.open()) {
      Records.append(log, "one", "two", "three", "four", "five");
      Follower follower = follower(log, 100);
      follower.start();
      LogRig.await(() -> follower.lagRecords() == 0);
      assertThat(kept.settled).containsExactly("one", "four", "five");
      assertThat(loops.all().getFirst().skippedItems()).isEqualTo(2);
      LogRig.await(() -> loops.all().getFirst().isUp()); // once that pass has ended
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  @Test
  void everythingFails_nothingIsPassedOver_andAllIsSettledOnceItWorks() throws Exception {
    String[] texts = new String[20];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = "record " + i;
      kept.poisons.add(texts[i]);
    }
    try (Log log = rig.open()) {
      Records.append(log, texts);
      Follower follower = follower(log, 100);
      follower.start();
      LogRig.await(() -> loops.all().getFirst().failures() > 3);
      assertThat(follower.lagRecords()).isEqualTo(texts.length);
      assertThat(loops.all().getFirst().failure()).isNotNull();
      kept.poisons.clear();
      LogRig.await(() -> follower.lagRecords() == 0);
      assertThat(kept.settled).containsExactly(texts);
      assertThat(loops.all().getFirst().skippedItems()).isZero();
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  @Test
  void lastRecordFails_isHeldUntilAnotherPasses() throws Exception {
    kept.poisons.add("two");
    try (Log log = rig.open()) {
      Records.append(log, "one", "two");
      Follower follower = follower(log, 100);
      follower.start();
      LogRig.await(() -> kept.failures.get() > 3);
      assertThat(kept.settled).containsExactly("one");
      assertThat(loops.all().getFirst().skippedItems()).isZero();
      Records.append(log, "three");
      LogRig.await(() -> follower.lagRecords() == 0);
      // "three" may be settled twice: the first time as proof that "two" is the poison record.
      assertThat(kept.settled).containsOnly("one", "three");
      assertThat(loops.all().getFirst().skippedItems()).isEqualTo(1);
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 1_000})
  void manyInARowCannotBeProcessed_allOthersAre_andTheyAreCounted(int count) throws Exception {
    List<String> texts = poisons(count);
    texts.addFirst("before");
    texts.addLast("good");
    texts.add("after");
    try (Log log = rig.open()) {
      append(log, texts);
      Follower follower = follower(log, 100);
      follower.start();
      LogRig.await(() -> follower.lagRecords() == 0);
      assertThat(kept.settled).containsOnly("before", "good", "after");
      assertThat(kept.settled).endsWith("after");
      assertThat(loops.all().getFirst().skippedItems()).isEqualTo(count);
      LogRig.await(loops.all().getFirst()::isUp);
      // The record that proves the others to be poison is not settled again and again.
      assertThat(kept.settled).hasSizeLessThan(10 + count / 4);
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 1_000})
  void noneAtTheEndCanBeProcessed_isHeld_untilOneThatComesLaterCan(int count) throws Exception {
    List<String> texts = poisons(count);
    try (Log log = rig.open()) {
      append(log, texts);
      Follower follower = follower(log, 100);
      follower.start();
      LogRig.await(() -> loops.all().getFirst().failures() > 3);
      assertThat(follower.lagRecords()).isEqualTo(count);
      kept.poisons.add("a new one");
      append(log, List.of("a new one"));
      LogRig.await(() -> kept.attempts.contains("a new one"));
      assertThat(loops.all().getFirst().skippedItems()).isZero();
      append(log, List.of("good"));
      LogRig.await(() -> follower.lagRecords() == 0);
      assertThat(kept.settled).containsOnly("good");
      assertThat(loops.all().getFirst().skippedItems()).isEqualTo(count + 1);
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  /** An exception does not tell whether the record or the store caused it. Here it is the store. */
  @Test
  void allFailForAWhileAndAreNoOutage_nothingIsPassedOver() throws Exception {
    List<String> texts = poisons(500);
    kept.poisons.clear();
    kept.bugsLeft.set(300);
    try (Log log = rig.open()) {
      append(log, texts);
      Follower follower = follower(log, 100);
      follower.start();
      LogRig.await(() -> follower.lagRecords() == 0);
      assertThat(kept.settled).containsOnlyOnceElementsOf(texts.subList(0, 250));
      assertThat(kept.settled).containsAll(texts);
      assertThat(loops.all().getFirst().skippedItems()).isZero();
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  @Test
  void storeGoesAwayBehindSuspects_theyAreTriedAgain() throws Exception {
    try (Log log = rig.open()) {
      Records.append(log, "one", "two", "three");
      kept.bugsLeft.set(2); // once in the batch, once as the first alone
      kept.failuresAfterBugs.set(1);
      Follower follower = follower(log, 100);
      follower.start();
      LogRig.await(() -> follower.lagRecords() == 0);
      assertThat(kept.settled).containsExactly("one", "two", "three");
      assertThat(loops.all().getFirst().skippedItems()).isZero();
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  @Test
  void cursorCannotBeSavedForABug_readingGoesOn() throws Exception {
    FaultyDisk disk = new FaultyDisk(new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot());
    LogRig faulty = new LogRig(disk, Path.of("/data"));
    try (Log log = faulty.open()) {
      Follower follower = follower(log, 100);
      disk.set(
          (operation, path) -> {
            if (FaultyDisk.isOn("follow-kept") && operation == FaultyDisk.Operation.CREATE) {
              throw new IllegalStateException("told to fail");
            }
          });
      follower.start();
      BackgroundLoop loop = loops.all().getFirst();
      Records.append(log, "one");
      LogRig.await(() -> loop.failures() > 1);
      assertThat(Objects.requireNonNull(loop.failure()).isPartial()).isTrue();
      Records.append(log, "two");
      LogRig.await(() -> follower.lagRecords() == 0);
      disk.set(FaultyDisk.NONE);
      LogRig.await(loop::isUp);
      assertThat(kept.settled).containsExactly("one", "two");
      follower.stop(PATIENCE);
    }
    faulty.checkSound();
  }

  /** Makes the texts of that many poison records. */
  private List<String> poisons(int count) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add("poison " + i);
    }
    kept.poisons.addAll(texts);
    return texts;
  }

  /** Appends the records one by one, because a group holds few. */
  private static void append(Log log, List<String> texts) throws InterruptedException {
    for (String text : texts) {
      Records.append(log, text);
    }
  }

  private Follower follower(Log log, int takenMax) throws Exception {
    loops = BackgroundLoops.unwatched();
    return new Follower(log, "kept", takenMax, kept, loops, "nothing is kept");
  }
}
