package gilmok.runsheet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.runsheet.plan.Plan;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class PlannerProcessTest {
  private static final Plan NOTHING = new Plan(List.of(), 1, 0, 1, true);

  /** The planner's process on a thread of this process, with both ends of its pipes. */
  private static final class Rig implements AutoCloseable {
    final PipedOutputStream to = new PipedOutputStream();
    final DataInputStream from;
    private final FutureTask<Void> serving;

    Rig(Solver solver) throws IOException {
      PipedInputStream in = new PipedInputStream(to, 1 << 20);
      PipedOutputStream out = new PipedOutputStream();
      from = new DataInputStream(new PipedInputStream(out, 1 << 20));
      serving =
          new FutureTask<>(
              () -> {
                PlannerProcess.serve(solver, in, out, 1, Thread.ofPlatform().daemon().factory());
                return null;
              });
      Thread.ofPlatform().daemon().start(serving);
    }

    PlannerFrame next() throws IOException {
      return Objects.requireNonNull(PlannerFrame.read(from));
    }

    @Override
    public void close() throws IOException {
      to.close();
      try {
        serving.get(20, TimeUnit.SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException unended) {
        throw new AssertionError(unended);
      }
    }
  }

  @Test
  void plan_isAnswered_andTheEndOfWhatItReadsIsItsEnd() throws Exception {
    try (Rig rig = new Rig((_, _) -> NOTHING)) {
      PlannerFrame.write(PlannerFrame.plan(5, 1_000_000, MadeUp.problem(2, 1)), rig.to);
      PlannerFrame answer = rig.next();
      assertThat(answer.kind()).isEqualTo(PlannerFrame.DONE);
      assertThat(answer.id()).isEqualTo(5);
      assertThat(PlanCodec.read(answer.body())).isEqualTo(NOTHING);
    }
  }

  @Test
  void planThatFails_isAnsweredToo() throws Exception {
    Solver broken =
        (_, _) -> {
          throw new IllegalStateException("no way");
        };
    try (Rig rig = new Rig(broken)) {
      PlannerFrame.write(PlannerFrame.plan(6, 1_000_000, MadeUp.problem(2, 1)), rig.to);
      PlannerFrame answer = rig.next();
      assertThat(answer.kind()).isEqualTo(PlannerFrame.FAILED);
      assertThat(answer.text()).contains("no way");
    }
  }

  @Test
  void planGivenUp_usesUpItsBudget() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Solver endless =
        (_, budget) -> {
          begun.countDown();
          while (budget.used() < 1) {
            LockSupport.parkNanos(100_000);
          }
          return NOTHING;
        };
    try (Rig rig = new Rig(endless)) {
      PlannerFrame.write(PlannerFrame.plan(7, Long.MAX_VALUE, MadeUp.problem(2, 1)), rig.to);
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
      PlannerFrame.write(PlannerFrame.cancel(99), rig.to);
      PlannerFrame.write(PlannerFrame.cancel(7), rig.to);
      assertThat(rig.next().id()).isEqualTo(7);
    }
  }

  @Test
  void whatIsNoFrame_endsIt() {
    byte[] nonsense = "nonsense".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    assertThatThrownBy(
            () ->
                PlannerProcess.serve(
                    (_, _) -> NOTHING,
                    new ByteArrayInputStream(nonsense),
                    new ByteArrayOutputStream(),
                    1,
                    Thread.ofPlatform().daemon().factory()))
        .isInstanceOf(IOException.class);
  }
}
