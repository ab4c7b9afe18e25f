package gilmok.runsheet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The review names what is wrong with a draft, and refuses nothing else. */
@Tag("unit")
class ReviewTest {
  private static final List<PlanOrder> TWO =
      List.of(new PlanOrder("a", 1, 2), new PlanOrder("b", 3, 4));

  @Test
  void of_goodDrafts_areProblems() {
    assertThat(Review.of(new ProblemDraft(square(5), 0, null, TWO)))
        .isInstanceOf(Review.Sound.class);
    assertThat(Review.of(new ProblemDraft(square(5), 2, 2, TWO))).isInstanceOf(Review.Sound.class);
    assertThat(Review.of(new ProblemDraft(square(1), 0, null, List.of())))
        .isInstanceOf(Review.Sound.class);
    // Both orders share one shop and one door.
    List<PlanOrder> shared = List.of(new PlanOrder("a", 1, 2), new PlanOrder("b", 1, 2));
    assertThat(Review.of(new ProblemDraft(square(3), 1, null, shared)))
        .isInstanceOf(Review.Sound.class);
    List<PlanOrder> aboard = List.of(new PlanOrder("a", -1, 2, 0, 5, true));
    assertThat(Review.of(new ProblemDraft(square(3), 0, null, aboard)))
        .isInstanceOf(Review.Sound.class);
  }

  @Test
  void of_matrix_isSquareAndWithinBounds() {
    assertFault(new ProblemDraft(new long[0][], 0, null, TWO), "matrix", "0 rows");
    assertFault(new ProblemDraft(square(513), 0, null, TWO), "matrix", "513 rows");
    assertFault(new ProblemDraft(changed(m -> m[3] = new long[4]), 0, null, TWO), "matrix[3]", "4");
    assertFault(new ProblemDraft(changed(m -> m[1][2] = -1), 0, null, TWO), "matrix[1][2]", "-1");
    assertFault(
        new ProblemDraft(changed(m -> m[4][0] = Long.MAX_VALUE), 0, null, TWO),
        "matrix[4][0]",
        "500000");
  }

  @Test
  void of_nodes_areThere() {
    assertFault(new ProblemDraft(square(5), 5, null, TWO), "start", "5");
    assertFault(new ProblemDraft(square(5), -1, null, TWO), "start", "-1");
    assertFault(new ProblemDraft(square(5), 0, 7, TWO), "end", "7");
    assertFault(of(new PlanOrder("a", 5, 1)), "orders[0].pickup", "5");
    assertFault(of(new PlanOrder("a", 1, -2)), "orders[0].dropoff", "-2");
  }

  @Test
  void of_orders_areOfOneNameAndShareNoNodeWrongly() {
    assertFault(
        of(new PlanOrder("a", 1, 2), new PlanOrder("a", 3, 4)), "orders[1].orderId", "also");
    assertFault(of(new PlanOrder("a", 1, 1)), "orders[0].dropoff", "its pickup");
    assertFault(
        of(new PlanOrder("a", 1, 2), new PlanOrder("b", 3, 1)), "orders[1].dropoff", "orders[0]");
    assertFault(
        of(new PlanOrder("a", 1, 2), new PlanOrder("b", 2, 3)), "orders[0].dropoff", "orders[1]");
    List<PlanOrder> many =
        IntStream.range(0, 101).mapToObj(i -> new PlanOrder("o" + i, 1, 2)).toList();
    assertFault(new ProblemDraft(square(5), 0, null, many), "orders", "101");
  }

  @Test
  void of_numbers_areWithinBounds() {
    List<PlanOrder> aboard =
        List.of(new PlanOrder("a", 1, 2, 0, 0, true), new PlanOrder("b", 1, 3, 0, 0, true));
    Objective objective = Objective.TRAVEL;
    assertFault(new ProblemDraft(square(5), 0, null, aboard, 0, 1, objective), "capacity", "2 are");
    assertFault(new ProblemDraft(square(5), 0, null, TWO, 0, 0, objective), "capacity", "0");
    assertFault(new ProblemDraft(square(5), 0, null, TWO, -1, 1, objective), "serviceTime", "-1");
    long far = ProblemDraft.TIME_MAX + 1;
    assertFault(of(new PlanOrder("a", 1, 2, far, 0, false)), "orders[0].readyAt", "further");
    assertFault(of(new PlanOrder("a", 1, 2, 0, -far, false)), "orders[0].dueBy", "further");
  }

  private static ProblemDraft of(PlanOrder... orders) {
    return new ProblemDraft(square(5), 0, null, List.of(orders));
  }

  private static void assertFault(ProblemDraft draft, String field, String reason) {
    assertThat(Review.of(draft))
        .isInstanceOfSatisfying(
            Review.Fault.class,
            fault -> {
              assertThat(fault.field()).isEqualTo(field);
              assertThat(fault.reason()).contains(reason);
            });
  }

  private static long[][] changed(Consumer<long[][]> change) {
    long[][] matrix = square(5);
    change.accept(matrix);
    return matrix;
  }

  private static long[][] square(int nodes) {
    return new long[nodes][nodes];
  }
}
