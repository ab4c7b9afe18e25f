package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whoever follows the log settles each record at least once, in order, whatever fails. */
final class FollowerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final LogRig rig = new LogRig();
  private final Kept kept = new Kept();

  /** Keeps what it settles, and fails as often as it is told to. */
  private static final class Kept implements Follower.Taker {
    final List<String> settled = new CopyOnWriteArrayList<>();
    final AtomicInteger failuresLeft = new AtomicInteger();
    final AtomicInteger refusalsLeft = new AtomicInteger();
    final AtomicInteger failures = new AtomicInteger();
    private final List<String> taken = new ArrayList<>();

    @Override
    public boolean take(LogReader record) {
      taken.add(Records.text(record));
      return true;
    }

    @Override
    public boolean settle() throws IOException {
      if (!taken.isEmpty() && failuresLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IOException("told to fail");
      }
      if (!taken.isEmpty() && refusalsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        return false;
      }
      settled.addAll(taken);
      taken.clear();
      return true;
    }

    @Override
    public void drop() {
      taken.clear();
    }

    @Override
    public void failed(IOException why) {
      failures.incrementAndGet();
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
      Follower follower = new Follower(log, "kept", 2, kept);
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
  void whatFailsOrIsNotSettled_isReadAgain() throws Exception {
    kept.failuresLeft.set(2);
    kept.refusalsLeft.set(2);
    try (Log log = rig.open()) {
      Records.append(log, "one", "two", "three");
      Follower follower = new Follower(log, "kept", 100, kept);
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
      Follower follower = new Follower(log, "kept", 100, kept);
      follower.start();
      LogRig.await(() -> kept.failures.get() > 0);
      follower.stop(PATIENCE);
    }
    kept.failuresLeft.set(0);
    for (int start = 0; start < 2; start++) {
      try (Log log = rig.open()) {
        Follower follower = new Follower(log, "kept", 100, kept);
        follower.start();
        LogRig.await(() -> follower.lagRecords() == 0);
        follower.stop(PATIENCE);
      }
    }
    assertThat(kept.settled).containsExactly("one");
    rig.checkSound();
  }
}
