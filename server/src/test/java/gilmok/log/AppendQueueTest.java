package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the writer is given a group; the interval is so long that only its own rules can end it. */
@Tag("unit")
final class AppendQueueTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final AppendQueue queue = queue(HOUR, 1 << 20);
  private int appended;

  @Test
  void loneAppends_areTakenAtOnce() throws Exception {
    for (int i = 0; i < 5; i++) {
      append(1);
      takeAndRecycle(1);
    }
  }

  @Test
  void afterSeveral_theNextAppendWaitsForOthers_untilThereIsACrowd() throws Exception {
    append(2);
    takeAndRecycle(2);
    append(1);
    CompletableFuture<CommitGroup> next = takeBeside();
    append(AppendQueue.CROWD_TICKETS - 2);
    assertThat(next).isNotDone();
    append(1);
    assertThat(next.join().ticketCount()).isEqualTo(AppendQueue.CROWD_TICKETS);
  }

  @Test
  void afterSeveral_manyBytesDoNotWait() throws Exception {
    append(2);
    takeAndRecycle(2);
    append(1);
    CompletableFuture<CommitGroup> next = takeBeside();
    queue.append(Records.draft("x".repeat(1 << 18)), AppendCompletion.of(() -> {}));
    assertThat(next.join().ticketCount()).isEqualTo(2);
  }

  @Test
  void stop_endsTheWait_andTheLastGroupIsTaken() throws Exception {
    append(2);
    takeAndRecycle(2);
    append(1);
    CompletableFuture<CommitGroup> next = takeBeside();
    queue.close();
    assertThat(next.join().ticketCount()).isEqualTo(1);
  }

  @Test
  void aShortInterval_endsByItself() throws Exception {
    AppendQueue hasty = queue(Duration.ofMillis(1), 1 << 20);
    for (int i = 0; i < 10; i++) {
      hasty.append(Records.draft("a" + i), AppendCompletion.of(() -> {}));
      hasty.append(Records.draft("b" + i), AppendCompletion.of(() -> {}));
      CommitGroup group = Objects.requireNonNull(hasty.take());
      assertThat(group.ticketCount()).isEqualTo(2);
      hasty.recycle(group);
    }
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      AppendResult result =
          queue.append(Records.draft("r" + appended++), AppendCompletion.of(() -> {}));
      assertThat(result).isEqualTo(AppendResult.TAKEN);
    }
  }

  private void takeAndRecycle(int tickets) throws InterruptedException {
    CommitGroup group = Objects.requireNonNull(queue.take());
    assertThat(group.ticketCount()).isEqualTo(tickets);
    queue.recycle(group);
  }

  /** The next group, taken by another thread, which waits for it by now. */
  private CompletableFuture<CommitGroup> takeBeside() {
    CompletableFuture<CommitGroup> taken = new CompletableFuture<>();
    Thread writer =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    taken.complete(queue.take());
                  } catch (InterruptedException | RuntimeException | Error failed) {
                    taken.completeExceptionally(failed);
                  }
                });
    LogRig.await(() -> writer.getState() == Thread.State.TIMED_WAITING);
    return taken;
  }

  private static AppendQueue queue(Duration interval, int groupBytesMax) {
    LogConfig config =
        new LogConfig(
            8 << 20,
            groupBytesMax,
            1000,
            1 << 28,
            Duration.ofDays(1),
            5000,
            Duration.ofDays(1),
            LogConfig.WhenFull.REFUSE,
            interval);
    return new AppendQueue(config, new DedupTable(5000), InstantSource.system(), 1, 8 << 20);
  }
}
