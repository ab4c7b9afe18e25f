package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoops;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whoever follows the log settles each record at least once, in order, whatever fails. */
final class FollowerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final LogRig rig = new LogRig();
  private final Kept kept = new Kept();
  private BackgroundLoops loops = BackgroundLoops.unwatched();

  /** Keeps what it settles, and fails as often as it is told to. */
  private static final class Kept implements Follower.Taker {
    final List<String> settled = new CopyOnWriteArrayList<>();
    final AtomicInteger failuresLeft = new AtomicInteger();
    final Set<String> poisons = ConcurrentHashMap.newKeySet();
    final AtomicInteger failures = new AtomicInteger();
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
      for (String poison : poisons) {
        if (taken.contains(poison)) {
          failures.incrementAndGet();
          throw new AssertionError(poison + " cannot be processed");
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
      assertThat(loops.all().getFirst().isUp()).isTrue();
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
      assertThat(kept.settled).containsExactly("one", "three");
      assertThat(loops.all().getFirst().skippedItems()).isEqualTo(1);
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  private Follower follower(Log log, int takenMax) throws Exception {
    loops = BackgroundLoops.unwatched();
    return new Follower(log, "kept", takenMax, kept, loops, "nothing is kept");
  }
}
