package gilmok.runsheet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.runsheet.plan.Objective;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.PlanProblem;
import gilmok.runsheet.plan.Stop;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class PlannerFrameTest {
  private static PlannerFrame read(byte[] bytes) throws IOException {
    return Objects.requireNonNull(PlannerFrame.read(in(bytes)));
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void problem_comesOutAsItWentIn(long seed) throws IOException {
    Integer end = seed == 1 ? null : 1;
    Objective objective = seed < 3 ? Objective.TRAVEL : Objective.LATENESS_THEN_TRAVEL;
    PlanProblem sent = MadeUp.problem((int) seed * 5, seed, end, objective);
    PlannerFrame frame = read(PlannerFrame.plan(77, 123_456, sent));
    assertThat(frame.kind()).isEqualTo(PlannerFrame.PLAN);
    assertThat(frame.id()).isEqualTo(77);
    assertThat(frame.body().getLong()).isEqualTo(123_456);
    PlanProblem taken = ProblemCodec.read(frame.body());
    assertThat(frame.body().hasRemaining()).isFalse();
    assertThat(taken.nodes()).isEqualTo(sent.nodes());
    for (int from = 0; from < sent.nodes(); from++) {
      for (int to = 0; to < sent.nodes(); to++) {
        assertThat(taken.cost(from, to)).isEqualTo(sent.cost(from, to));
      }
    }
    assertThat(taken.start()).isEqualTo(sent.start());
    assertThat(taken.end()).isEqualTo(sent.end());
    assertThat(taken.serviceTime()).isEqualTo(sent.serviceTime());
    assertThat(taken.capacity()).isEqualTo(sent.capacity());
    assertThat(taken.objective()).isEqualTo(sent.objective());
    assertThat(taken.orders()).hasSameSizeAs(sent.orders());
    for (int i = 0; i < sent.orders().size(); i++) {
      PlanOrder order = sent.orders().get(i);
      assertThat(taken.orders().get(i))
          .isEqualTo(
              new PlanOrder(
                  "" + i,
                  order.pickup(),
                  order.dropoff(),
                  order.readyAt(),
                  order.dueBy(),
                  order.pickedUp()));
    }
  }

  @Test
  void plan_comesOutAsItWentIn() throws IOException {
    Plan sent =
        new Plan(
            List.of(
                new Stop(3, 1, Stop.Kind.PICKUP, 17, 0),
                new Stop(2, 1, Stop.Kind.DROPOFF, 1L << 40, 9)),
            101,
            9,
            100,
            false);
    PlannerFrame frame = read(PlannerFrame.done(5, sent));
    assertThat(frame.kind()).isEqualTo(PlannerFrame.DONE);
    assertThat(PlanCodec.read(frame.body())).isEqualTo(sent);
    assertThat(frame.body().hasRemaining()).isFalse();
  }

  @Test
  void wordsAndEnds_areRead() throws IOException {
    assertThat(read(PlannerFrame.cancel(9)).kind()).isEqualTo(PlannerFrame.CANCEL);
    PlannerFrame failed = read(PlannerFrame.failed(8, "왜"));
    assertThat(failed.id()).isEqualTo(8);
    assertThat(failed.text()).isEqualTo("왜");
    assertThat(PlannerFrame.read(in(new byte[0]))).isNull();
  }

  @Test
  void whatIsNoFrame_isAFailure() {
    byte[] whole = PlannerFrame.plan(1, 1, MadeUp.problem(2, 1));
    for (int length : new int[] {1, 3, 5, whole.length - 1}) {
      assertThatThrownBy(() -> PlannerFrame.read(in(Arrays.copyOf(whole, length))))
          .as(length + " bytes")
          .isInstanceOf(IOException.class);
    }
    for (byte[] length : new byte[][] {{0, 0, 0, 8}, {0x7f, 0, 0, 0}, {-1, -1, -1, -1}}) {
      assertThatThrownBy(() -> PlannerFrame.read(in(length)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no frame");
    }
  }
}
